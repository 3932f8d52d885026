// The host that a program holds: its servers, their tools, and the only way to call them.

import {
  canonicalJson,
  Emitter,
  type JsonObject,
  type Listener,
  messageOf,
  never,
  ok,
  type Result,
  shared,
} from '@plugboard/base';
import type { ToolReference } from '../catalog/index.ts';
import type { AdmittedConfiguration } from '../admission/index.ts';
import type { Diagnostic } from '../config/index.ts';
import type { CrashBrake } from '../connection/index.ts';
import type { Roots } from '../inbound/index.ts';
import type { Part, Results } from '../output/index.ts';
import type { Quarantined } from '../pins/index.ts';
import type { Explanation, FlowSnapshot } from '../policy/index.ts';
import type { FrameRecord } from '../protocol/index.ts';
import type { LogLine } from '../records/index.ts';
import type { Scripts } from '../scripts/index.ts';
import { CallOrder } from './call-order.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { CallPermission } from './call-permission.ts';
import type { CallSettings, HostEvent, ToolsOptions, ToolsReport } from './host-surface.ts';
import type { HostParts } from './host-parts.ts';
import { hostPermission } from './host-permission.ts';
import { hostCall, type HostCallParts } from './host-calls.ts';
import { HostConversation } from './host-conversation.ts';
import { HostPins } from './host-pins.ts';
import { HotReload, type LoadedConfiguration } from './hot-reload.ts';
import type { KnownServer } from './known-servers.ts';
import type {
  ImportOptions,
  ImportOutcome,
  LoginOptions,
  LoginOutcome,
  LogoutOptions,
  LogoutOutcome,
} from './login.ts';
import { notify, type NotifyOutcome } from './notify.ts';
import { Offers } from './offers.ts';
import { Primitives } from './primitives.ts';
import type { ProgramServer, ServersOutcome, StatedChanges } from './program-servers.ts';
import type { Prompts } from './prompts.ts';
import {
  connectLimitsOf,
  type GatewayProfiles,
  gatewayProfilesOf,
  pinModeOf,
} from './ranked-settings.ts';
import { ReadPermission } from './read-permission.ts';
import { HostRelay } from './relay.ts';
import type { RelayClient } from './relay-sessions.ts';
import type { Resources } from './resources.ts';
import { type ServerNews, ServerSet } from './server-set.ts';
import type { ServerStatus } from './server-status.ts';
import { SignInDesk } from './sign-in-desk.ts';
import type { SignInStatus } from './sign-ins.ts';
import type { Skills } from './skills.ts';
import { ToolLookup } from './tool-lookup.ts';
import { toolsReport } from './tools-report.ts';

export class Host implements AsyncDisposable {
  readonly #parts: HostParts;
  #configuration: AdmittedConfiguration;
  readonly #servers: ServerSet;
  readonly #offers: Offers;
  /** Absent until it is used: most programs only call tools. */
  #primitives: Primitives | undefined;
  /** The folders that servers should work in. Connected servers are notified of changes. */
  readonly roots: Pick<Roots, 'list' | 'set' | 'add' | 'remove'>;
  readonly #pins: HostPins;
  readonly #calls: HostCallParts;
  readonly #permission: CallPermission;
  readonly #events: Emitter<HostEvent>;
  readonly #reload: HotReload;
  readonly #signIns: SignInDesk;
  readonly #brakes = new Map<string, CrashBrake>();
  /** The program requested the tools of all servers, so servers that are added later are listed too. */
  #isListed = false;

  constructor(parts: HostParts) {
    const { supervisor, clock, logger, loaded, following, store, records } = parts;
    this.#parts = parts;
    this.#configuration = loaded.configuration;
    supervisor.limit(connectLimitsOf(loaded.configuration, parts.stated.limits));
    const onListenerError = (thrown: unknown): void =>
      logger.log('error', 'a listener threw', { reason: messageOf(thrown) });
    this.#events = new Emitter(onListenerError);
    const news = new Emitter<ServerNews>(onListenerError);
    news.on((each) => this.#onNews(each));
    const events = this.#events;
    const servers = new ServerSet(loaded.servers, { supervisor, store, records, news });
    this.#servers = servers;
    this.#signIns = new SignInDesk({
      servers,
      authorizations: parts.authorizations,
      kept: parts.signIns,
      clock,
    });
    const { state } = parts;
    const mode = pinModeOf(loaded.configuration, parts.stated.pins);
    const pins = new HostPins({ state, mode, servers, events, clock, logger });
    this.#pins = pins;
    this.#offers = new Offers({ servers, pins, events, clock, logger });
    this.#permission = hostPermission(parts, this.#events);
    this.roots = parts.inbound.roots;
    parts.inbound.sampling?.on((event) => this.#events.emit(event));
    this.#calls = {
      lookup: new ToolLookup({ offers: this.#offers, servers, pins }),
      permission: this.#permission,
      servers,
      output: parts.output,
      order: new CallOrder(),
      asked: parts.inbound.asked,
    };
    for (const server of loaded.servers) this.#startIfEager(server);
    this.#reload = new HotReload(loaded, {
      ...following,
      onLoaded: (now) => this.#apply(now),
      onKept: (diagnostics) => this.#events.emit({ kind: 'configuration-kept', diagnostics }),
      clock,
      logger,
    });
  }

  /** The problems of the configuration. Servers without problems work all the same. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#configuration.diagnostics, ...this.#parts.connectors.diagnostics];
  }

  /** The status of every configured server, in the order of names. Connects to nothing. */
  get servers(): readonly ServerStatus[] {
    return this.#servers.statuses.map((status) => this.#pins.shown(status));
  }

  /** The gateway profiles of the user's settings, by name. */
  get gatewayProfiles(): GatewayProfiles {
    return gatewayProfilesOf(this.#configuration);
  }

  /** The tools and instructions of listed servers that are kept back from models. */
  get quarantined(): readonly Quarantined[] {
    return this.#pins.quarantined;
  }

  /** Shows changed definitions, and accepts them. */
  get pins(): Pick<HostPins, 'accept' | 'changes'> {
    return this.#pins;
  }

  /** The tools of servers. Connects to servers whose tools are unknown in this run and from earlier ones. */
  tools(options: ToolsOptions = {}): Promise<ToolsReport> {
    const { servers: names = this.#servers.usable, fresh = false } = options;
    if (options.servers === undefined) this.#isListed = true;
    const signal = shared(options.signal ?? never);
    const parts = { offers: this.#offers, pins: this.#pins, signIns: this.#signIns };
    return toolsReport({ names, configured: this.#servers.names, fresh, signal, ...parts });
  }

  get #usedPrimitives(): Primitives {
    const { clock, logger, output, approveRead } = this.#parts;
    this.#primitives ??= new Primitives({
      clock,
      logger,
      servers: this.#servers,
      permission: new ReadPermission(this.#permission, approveRead),
      output,
      events: this.#events,
    });
    return this.#primitives;
  }

  get resources(): Resources {
    return this.#usedPrimitives.resources;
  }

  get prompts(): Prompts {
    return this.#usedPrimitives.prompts;
  }

  get skills(): Skills {
    return this.#usedPrimitives.skills;
  }

  /** The parts that were left out of results, for models that cannot open a file. */
  get results(): Results {
    return this.#calls.output.results;
  }

  /** Runs scripts over tools. */
  get scripts(): Pick<Scripts, 'run'> {
    return this.#parts.scripts;
  }

  /** Fits a text that is not the result of a call into the budget of a result, with the rest in a file. */
  fitText(text: string): Promise<readonly Part[]> {
    return this.#calls.output.fitContent([{ type: 'text', text }], undefined);
  }

  /** Calls a tool. Every failure is an outcome, not an exception. */
  call(
    reference: ToolReference,
    given: JsonObject,
    settings: CallSettings = {},
  ): Promise<CallOutcome> {
    return hostCall({ reference, given }, settings, this.#calls);
  }

  /** Gives a gateway's client its own sessions with the servers, whose messages pass unchanged. */
  relay(client: RelayClient): HostRelay {
    const { supervisor, records, clock } = this.#parts;
    const parts = {
      ...this.#calls,
      supervisor,
      records,
      clock,
      offers: this.#offers,
      brakes: this.#brakes,
      primitives: this.#usedPrimitives,
    };
    return new HostRelay(parts, client);
  }

  /** Begins a conversation, or resumes one, that tracks what its calls bring into it. */
  conversation(snapshot?: FlowSnapshot): HostConversation {
    return new HostConversation((...request) => this.call(...request), snapshot);
  }

  /** The decision about a call, and every rule that matches it. Asks no one and calls nothing. */
  async explainDecision(
    reference: ToolReference,
    given: JsonObject,
    { signal = never }: { readonly signal?: AbortSignal } = {},
  ): Promise<Result<Explanation, CallOutcome>> {
    const tool = await this.#calls.lookup.resolve(reference, signal);
    return tool.ok ? ok(await this.#permission.explain(tool.value, given)) : tool;
  }

  /** The last messages between the host and a server in this run, oldest first. */
  trace(server: string): readonly FrameRecord[] {
    return this.#parts.records.get(server)?.frames ?? [];
  }

  /** The last lines that a server wrote or logged in this run, oldest first. */
  log(server: string): readonly LogLine[] {
    return this.#parts.records.get(server)?.lines ?? [];
  }

  /** Has the user sign in at a server, and waits until the user has finished. */
  login(server: string, options: LoginOptions): Promise<LoginOutcome> {
    return this.#signIns.login(server, options);
  }

  /** Removes the credentials of a server. */
  logout(server: string, options: LogoutOptions = {}): Promise<LogoutOutcome> {
    return this.#signIns.logout(server, options);
  }

  /** The sign-in status of each remote server. Connects to nothing. */
  signIns(): Promise<readonly SignInStatus[]> {
    return this.#signIns.statuses();
  }

  /** Imports tokens that another program obtained, in the form of a token endpoint's answer. */
  importSignIn(server: string, options: ImportOptions): Promise<ImportOutcome> {
    return this.#signIns.import(server, options);
  }

  /** Closes the connection of a server and connects again. The report has its tools, or the problem. */
  async reconnect(
    server: string,
    { signal = never }: { readonly signal?: AbortSignal } = {},
  ): Promise<ToolsReport> {
    await this.#servers.renew(server);
    return this.tools({ servers: [server], fresh: true, signal });
  }

  /** Adds a server, or replaces the one with that name. */
  addServer(name: string, server: ProgramServer): Promise<ServersOutcome> {
    return this.#applyStated(this.#parts.program.add(name, server));
  }

  /** Removes a server that the program added. From then on, a server with that name in a file counts. */
  removeServer(name: string): Promise<ServersOutcome> {
    return this.#applyStated(this.#parts.program.remove(name));
  }

  /** Replaces all servers of the program; unchanged ones are not disturbed. */
  setServers(servers: Readonly<Record<string, ProgramServer>>): Promise<ServersOutcome> {
    return this.#applyStated(this.#parts.program.set(new Map(Object.entries(servers))));
  }

  /** Sends a notification that MCP does not define to a server of this process or of an editor. */
  notify(server: string, method: string, params?: JsonObject): Promise<NotifyOutcome> {
    return notify(this.#servers, { server, method, params });
  }

  /** Reports every change of every server until the returned value is disposed. */
  on(listener: Listener<HostEvent>): Disposable {
    return this.#events.on(listener);
  }

  /** Closes every connection and ends every started process. Idempotent. */
  async close(): Promise<void> {
    const { scripts, connectors, authorizations, supervisor, store, records } = this.#parts;
    await scripts.close();
    this.#primitives?.[Symbol.dispose]();
    await this.#reload[Symbol.asyncDispose]();
    await connectors[Symbol.asyncDispose]();
    await authorizations[Symbol.asyncDispose]();
    await supervisor.close();
    await Promise.all([store.settled(), records.settled()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #onNews(news: ServerNews): void {
    switch (news.kind) {
      case 'state':
        this.#events.emit({ kind: 'state', server: this.#pins.shown(news.server) });
        break;
      case 'ready':
        void this.#onReady(news.server);
        break;
      case 'gone':
        this.#offers.forget(news.server);
        break;
      default:
        this.#events.emit(news);
    }
  }

  /** Applies a new configuration; unchanged servers are not disturbed. */
  #apply({ configuration, servers, calls }: LoadedConfiguration): void {
    const profiles = canonicalJson(this.gatewayProfiles);
    this.#permission.replace(calls);
    this.#configuration = configuration;
    const { supervisor, stated } = this.#parts;
    supervisor.limit(connectLimitsOf(configuration, stated.limits));
    const { fresh, interrupted, ...changes } = this.#servers.replace(servers);
    void this.#pins.setMode(pinModeOf(configuration, stated.pins));
    fresh.forEach((server) => this.#startIfEager(server));
    [...interrupted, ...(this.#isListed ? fresh : [])].forEach((one) => this.#startIfIdle(one));
    if (canonicalJson(this.gatewayProfiles) !== profiles) this.#events.emit({ kind: 'profiles' });
    if (Object.values(changes).every((names) => names.length === 0)) return;
    this.#events.emit({
      kind: 'configuration',
      ...changes,
      diagnostics: configuration.diagnostics,
    });
  }

  async #applyStated(changes: StatedChanges): Promise<ServersOutcome> {
    const before = this.#servers.given;
    if ((await this.#reload.again()) === 'closed') return { kind: 'closed' };
    const now = this.#servers.given;
    return this.#parts.program.applied(changes, {
      before,
      now,
      configuration: this.#configuration,
    });
  }

  /** Replaces the stored tools of an earlier run by those that the server lists. */
  async #onReady(server: string): Promise<void> {
    this.#primitives?.onReady(server);
    if (!this.#offers.isStored(server)) return;
    const refreshed = await this.#offers.refresh(server, never);
    if (refreshed.ok || refreshed.error.kind !== 'failed') return;
    this.#events.emit({ kind: 'stale-tools', server, failure: refreshed.error.failure });
  }

  #startIfEager(server: KnownServer): void {
    if (server.isEager) this.#startIfIdle(server);
  }

  #startIfIdle({ facts }: KnownServer): void {
    if (this.#servers.stateOf(facts.name).kind === 'idle')
      void this.#offers.refresh(facts.name, never);
  }
}
