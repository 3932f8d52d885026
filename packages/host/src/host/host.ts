// The host an agent holds: its servers, their tools, and the one way to call them.

import {
  type Clock,
  Emitter,
  err,
  type JsonObject,
  type Listener,
  type Logger,
  messageOf,
  never,
  ok,
  type Result,
  shared,
} from '@plugboard/base';
import type { Authorizations, Browser } from '../auth/index.ts';
import { type CatalogStore, type HostTool, type StoredList, toHostTool } from '../catalog/index.ts';
import type { Diagnostic } from '../config/index.ts';
import {
  type ConnectionFailure,
  type ConnectionState,
  type Deadlines,
  DEFAULT_DEADLINES,
  type Supervisor,
} from '../connection/index.ts';
import { toParts } from '../output/index.ts';
import type { FrameRecord, Progress, ServerLog, Session } from '../protocol/index.ts';
import type { Records } from '../records/index.ts';
import type { Approver } from './approver.ts';
import { argumentCheck } from './argument-check.ts';
import { call, type CallSteps, type ToolReference } from './call.ts';
import { type CallOutcome, withoutSession } from './call-outcome.ts';
import { HotReload, type HotReloadPorts, type Loaded } from './hot-reload.ts';
import type { KnownServer } from './known-servers.ts';
import { type ListOrigin, Offers } from './offers.ts';
import { planReload } from './reload-plan.ts';
import { login, type LoginOutcome, type LoginPorts, logout, type LogoutOutcome } from './login.ts';
import { type ServerStatus, statusOf } from './server-status.ts';
import { ToolLookup } from './tool-lookup.ts';

export interface ToolsReport {
  /** In a stable order: the same servers give the same list. */
  readonly tools: readonly HostTool[];
  /** The servers whose tools are missing from it: what a call to them would come to. */
  readonly problems: readonly CallOutcome[];
  /** Where the tools of each server are from, and from when. */
  readonly lists: readonly ListOrigin[];
}

export interface ToolsOptions {
  /** All, unless given. */
  readonly servers?: readonly string[];
  /** Connects also where the tools are known from an earlier run. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface CallSettings {
  /** Gives the call up; the server is told. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type HostEvent =
  | { readonly kind: 'state'; readonly server: ServerStatus }
  /** The tools of a server were listed, for the first time or because they changed. */
  | { readonly kind: 'tools'; readonly server: string }
  /** A server's tools changed, but could not be listed again: the old list stays. */
  | {
      readonly kind: 'stale-tools';
      readonly server: string;
      readonly failure: ConnectionFailure;
    }
  /** A line of a server's own log. Text from the server. */
  | { readonly kind: 'log'; readonly server: string; readonly log: ServerLog }
  /** Files were edited, and the host follows. */
  | ConfigurationChange
  /** Files were edited and cannot be read as they are now: what counted before still does. */
  | { readonly kind: 'configuration-kept'; readonly diagnostics: readonly Diagnostic[] };

export interface ConfigurationChange {
  readonly kind: 'configuration';
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** They were ended, and started again where they were in use. */
  readonly changed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface HostParts {
  readonly loaded: Loaded;
  /** Reads the configuration again; absent where the host does not follow its files. */
  readonly following: Pick<HotReloadPorts, 'load' | 'carry'> | undefined;
  /** Works beside the host, and ends with it. */
  readonly connectors: AsyncDisposable & { readonly diagnostics: readonly Diagnostic[] };
  readonly authorizations: Authorizations;
  readonly approve: Approver;
  readonly supervisor: Supervisor;
  readonly store: CatalogStore;
  readonly records: Records;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** States in which a call would connect, and what was listed before is as good as it gets. */
const AWAY: ReadonlySet<ConnectionState['kind']> = new Set([
  'idle',
  'needs-auth',
  'waiting',
  'failed',
]);

const NOTHING_STORED = Promise.resolve(undefined);

function nameOf({ facts }: KnownServer): string {
  return facts.name;
}

function byName(servers: readonly KnownServer[]): ReadonlyMap<string, KnownServer> {
  return new Map(servers.map((server) => [server.facts.name, server]));
}

export class Host implements AsyncDisposable {
  #diagnostics: readonly Diagnostic[];
  /** In the order of names. */
  #servers: ReadonlyMap<string, KnownServer>;
  readonly #supervisor: Supervisor;
  readonly #store: CatalogStore;
  readonly #records: Records;
  readonly #offers: Offers;
  readonly #steps: CallSteps;
  readonly #events: Emitter<HostEvent>;
  readonly #reload: HotReload | undefined;
  readonly #connectors: HostParts['connectors'];
  readonly #login: LoginPorts;
  /** Somebody wanted the tools of all servers, so servers that are added later are listed too. */
  #isListed = false;

  constructor(parts: HostParts) {
    const { supervisor, clock, logger, loaded, following } = parts;
    this.#diagnostics = loaded.configuration.diagnostics;
    this.#connectors = parts.connectors;
    this.#login = { authorizations: parts.authorizations, clock };
    this.#supervisor = supervisor;
    this.#store = parts.store;
    this.#records = parts.records;
    this.#servers = byName(loaded.servers);
    this.#events = new Emitter((thrown) =>
      logger.log('error', 'a listener threw', { reason: messageOf(thrown) }),
    );
    for (const server of loaded.servers) this.#supervise(server);
    this.#offers = new Offers({
      clock,
      logger,
      connect: (server, signal) => this.#connect(server, signal),
      isAway: (server) => AWAY.has(this.#stateOf(server).kind),
      recall: (server) => this.#recall(server),
      store: (server, list) => this.#keep(server, list),
      filterOf: (server) => this.#servers.get(server)?.filter ?? {},
      listMsOf: (server) => this.#deadlinesOf(server).listMs,
      onChanged: (server) => this.#events.emit({ kind: 'tools', server }),
      onStale: (server, failure) => this.#events.emit({ kind: 'stale-tools', server, failure }),
    });
    const lookup = new ToolLookup(this.#offers, {
      isConfigured: (server) => this.#servers.has(server),
      usable: () => this.#usable(),
    });
    this.#steps = {
      resolve: (reference, signal) => lookup.resolve(reference, signal),
      renew: (tool, signal) => lookup.renew(tool, signal),
      checkOf: argumentCheck,
      approve: parts.approve,
      connect: (server, signal) => this.#readySession(server) ?? this.#connect(server, signal),
      deadlinesOf: (server) => this.#deadlinesOf(server),
      fit: toParts,
    };
    for (const server of loaded.servers) this.#startIfEager(server);
    if (following !== undefined) {
      this.#reload = new HotReload(loaded, this.#reloadPorts(parts, following));
    }
  }

  /** What is wrong with the configuration. Servers it does not concern work all the same. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics, ...this.#connectors.diagnostics];
  }

  /** Every configured server and how it is, in the order of their names. Connects to nothing. */
  get servers(): readonly ServerStatus[] {
    return [...this.#servers.values()].map((server) => this.#statusOf(server));
  }

  /** The tools of servers; connects to those that never listed theirs, in this run or an earlier one. */
  async tools(options: ToolsOptions = {}): Promise<ToolsReport> {
    const { servers: names = this.#usable(), fresh = false } = options;
    if (options.servers === undefined) this.#isListed = true;
    const signal = shared(options.signal ?? never);
    const problems = await this.#listEach(names, (server) =>
      fresh ? this.#offers.refresh(server, signal) : this.#offers.know(server, signal),
    );
    const wanted = new Set(names);
    const tools = this.#offers.catalog.tools.filter(({ server }) => wanted.has(server));
    return { tools: tools.map(toHostTool), problems, lists: this.#offers.originsOf(names) };
  }

  /** Calls a tool. Whatever goes wrong is an outcome, not an exception. */
  call(
    reference: ToolReference,
    given: JsonObject,
    settings: CallSettings = {},
  ): Promise<CallOutcome> {
    const { onProgress } = settings;
    const signal = settings.signal === undefined ? never : shared(settings.signal);
    return call({ reference, arguments: given, signal, onProgress }, this.#steps);
  }

  /** The last frames that went between the host and a server in this run, oldest first. */
  trace(server: string): readonly FrameRecord[] {
    return this.#records.get(server)?.frames ?? [];
  }

  /** Has somebody sign in at a server, for as long as that takes. */
  login(
    server: string,
    { browser, signal = never }: { readonly browser: Browser; readonly signal?: AbortSignal },
  ): Promise<LoginOutcome> {
    const known = this.#servers.get(server);
    if (known === undefined) return Promise.resolve({ kind: 'unknown-server', server });
    return login(known, { browser, signal }, this.#login);
  }

  /** Forgets what signing in at a server gave. */
  logout(
    server: string,
    { signal = never }: { readonly signal?: AbortSignal } = {},
  ): Promise<LogoutOutcome> {
    const known = this.#servers.get(server);
    if (known === undefined) return Promise.resolve({ kind: 'unknown-server', server });
    return logout(known, signal, this.#login);
  }

  /** Hears every change of every server until the returned value is disposed. */
  on(listener: Listener<HostEvent>): Disposable {
    return this.#events.on(listener);
  }

  /** Ends every connection and every process that was started. Idempotent. */
  async close(): Promise<void> {
    await this.#reload?.[Symbol.asyncDispose]();
    await this.#connectors[Symbol.asyncDispose]();
    await this.#login.authorizations[Symbol.asyncDispose]();
    await this.#supervisor.close();
    await Promise.all([this.#store.settled(), this.#records.settled()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #reloadPorts(
    { clock, logger }: HostParts,
    following: Pick<HotReloadPorts, 'load' | 'carry'>,
  ): HotReloadPorts {
    return {
      ...following,
      onLoaded: (loaded) => this.#apply(loaded),
      onKept: (diagnostics) => this.#events.emit({ kind: 'configuration-kept', diagnostics }),
      clock,
      logger,
    };
  }

  /** Takes a new configuration; servers that are what they were go on undisturbed. */
  #apply({ configuration, servers }: Loaded): void {
    const { diagnostics } = configuration;
    const { added, removed, changed } = planReload(this.#servers, servers);
    const wasInUse = new Set(changed.map(nameOf).filter((name) => this.#isInUse(name)));
    const wasBarred = new Set(changed.map(nameOf).filter((name) => this.#isBarred(name)));
    this.#diagnostics = diagnostics;
    this.#servers = byName(servers);
    for (const name of [...removed, ...changed].map(nameOf)) {
      this.#offers.forget(name);
      void this.#supervisor.remove(name);
    }
    for (const server of [...added, ...changed]) this.#supervise(server);
    // One that may be used from now on is as good as a new one.
    const fresh = [...added, ...changed.filter(({ facts }) => wasBarred.has(facts.name))];
    for (const server of fresh) this.#startIfEager(server);
    const restarted = changed.filter(({ facts }) => wasInUse.has(facts.name));
    for (const server of [...restarted, ...(this.#isListed ? fresh : [])])
      this.#startIfIdle(server);
    if (added.length + removed.length + changed.length === 0) return;
    this.#events.emit({
      kind: 'configuration',
      added: added.map(nameOf),
      removed: removed.map(nameOf),
      changed: changed.map(nameOf),
      diagnostics,
    });
  }

  #isInUse(server: string): boolean {
    const { kind } = this.#stateOf(server);
    return kind === 'ready' || kind === 'connecting' || kind === 'waiting';
  }

  #isBarred(server: string): boolean {
    return this.#servers.get(server)?.supervised.barrier !== undefined;
  }

  #supervise(server: KnownServer): void {
    const { name } = server.facts;
    const records = this.#records.add(server.supervised);
    const connection = this.#supervisor.add({ ...server.supervised, recorder: records });
    connection.onChange((state) => {
      // One that was replaced or removed speaks for nobody.
      if (this.#supervisor.get(name) !== connection) return;
      if (state.kind === 'ready') {
        // Ends with the session.
        state.session.watchLog((log) => {
          records.log(log);
          this.#events.emit({ kind: 'log', server: name, log });
        });
        if (this.#offers.isStored(name)) void this.#replaceStored(name);
      }
      const known = this.#servers.get(name) ?? server;
      this.#events.emit({ kind: 'state', server: this.#statusOf(known) });
    });
  }

  /** The tools of an earlier run were enough until now; here is who knows better. */
  async #replaceStored(server: string): Promise<void> {
    const refreshed = await this.#offers.refresh(server, never);
    if (refreshed.ok || refreshed.error.kind !== 'failed') return;
    this.#events.emit({ kind: 'stale-tools', server, failure: refreshed.error.failure });
  }

  #startIfEager(server: KnownServer): void {
    if (server.isEager) this.#startIfIdle(server);
  }

  #startIfIdle({ facts }: KnownServer): void {
    if (this.#stateOf(facts.name).kind === 'idle') void this.#offers.refresh(facts.name, never);
  }

  #statusOf({ facts }: KnownServer): ServerStatus {
    return statusOf(facts, this.#stateOf(facts.name));
  }

  #stateOf(server: string): ConnectionState {
    return this.#supervisor.get(server)?.state ?? { kind: 'idle' };
  }

  #deadlinesOf(server: string): Deadlines {
    return this.#servers.get(server)?.supervised.deadlines ?? DEFAULT_DEADLINES;
  }

  #usable(): readonly string[] {
    return [...this.#servers.keys()].filter((name) => this.#stateOf(name).kind !== 'disabled');
  }

  /** At once, for the many calls that find a connection open. */
  #readySession(server: string): Result<Session, never> | undefined {
    const session = this.#supervisor.get(server)?.ready;
    return session === undefined ? undefined : ok(session);
  }

  #connect(server: string, signal: AbortSignal): Promise<Result<Session, ConnectionState>> {
    const connection = this.#supervisor.get(server);
    // Only a server that was never configured has no connection.
    if (connection === undefined) return Promise.resolve(err({ kind: 'idle' }));
    return connection.session(signal);
  }

  #recall(server: string): Promise<StoredList | undefined> {
    const fingerprint = this.#servers.get(server)?.supervised.fingerprint;
    return fingerprint === undefined ? NOTHING_STORED : this.#store.list(fingerprint);
  }

  #keep(server: string, list: StoredList): void {
    const fingerprint = this.#servers.get(server)?.supervised.fingerprint;
    if (fingerprint !== undefined) this.#store.saveList(fingerprint, list);
  }

  async #listEach(
    servers: readonly string[],
    list: (server: string) => Promise<Result<void, ConnectionState>>,
  ): Promise<readonly CallOutcome[]> {
    const listed = await Promise.all(
      servers.map(async (server) => {
        const made = await list(server);
        return made.ok ? [] : [withoutSession({ server, tool: '' }, made.error)];
      }),
    );
    return listed.flat();
  }
}
