// The servers of a host and their connections: their names, states and sessions. Applies a new configuration
// without disturbing unchanged servers. Other objects hold what a server offers, and are notified when a server is
// ready or gone.

import { type Emitter, err, ok, type Result } from '@plugboard/base';
import type { CatalogStore, StoredList, ToolFilter } from '../catalog/index.ts';
import {
  type ConnectionState,
  type Deadlines,
  DEFAULT_DEADLINES,
  type Occasion,
  type Supervisor,
} from '../connection/index.ts';
import type { PinSubject } from '../pins/index.ts';
import type { OwnNotification, ServerLog, Session } from '../protocol/index.ts';
import type { LogLine, Records } from '../records/index.ts';
import type { KnownServer } from './known-servers.ts';
import { type ServerStatus, statusOf } from './server-status.ts';

/** Something that happened to a server. */
export type ServerNews =
  | { readonly kind: 'state'; readonly server: ServerStatus }
  | { readonly kind: 'ready'; readonly server: string }
  /** It was removed or replaced. */
  | { readonly kind: 'gone'; readonly server: string }
  | { readonly kind: 'log'; readonly server: string; readonly log: ServerLog }
  | { readonly kind: 'line'; readonly server: string; readonly line: LogLine }
  /** From a server of this process or of an editor. */
  | ({ readonly kind: 'notification'; readonly server: string } & OwnNotification);

export interface ServerSetParts {
  readonly supervisor: Supervisor;
  readonly store: CatalogStore;
  readonly records: Records;
  readonly news: Emitter<ServerNews>;
}

/** The effect of a new configuration. */
export interface ServerChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Servers that are new, or were blocked before. */
  readonly fresh: readonly KnownServer[];
  /** Servers that were stopped while in use. */
  readonly interrupted: readonly KnownServer[];
}

/** States in which a call would connect, and an earlier list is the best available. */
const AWAY: ReadonlySet<ConnectionState['kind']> = new Set([
  'idle',
  'needs-auth',
  'waiting',
  'failed',
]);

export class ServerSet {
  readonly #parts: ServerSetParts;
  /** In the order of names. */
  #servers: ReadonlyMap<string, KnownServer>;

  constructor(servers: readonly KnownServer[], parts: ServerSetParts) {
    this.#parts = parts;
    this.#servers = byName(servers);
    for (const server of servers) this.#supervise(server);
  }

  get(name: string): KnownServer | undefined {
    return this.#servers.get(name);
  }

  get all(): readonly KnownServer[] {
    return [...this.#servers.values()];
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  get statuses(): readonly ServerStatus[] {
    return this.all.map((server) => this.#statusOf(server));
  }

  /** The names of the servers that are not disabled. */
  get usable(): readonly string[] {
    return [...this.#servers.keys()].filter((name) => this.stateOf(name).kind !== 'disabled');
  }

  /** The names of the program's servers that no rule blocks. */
  get given(): ReadonlySet<string> {
    const isGiven = ({ facts, supervised }: KnownServer): boolean =>
      facts.scope === 'dynamic' && supervised.barrier?.kind !== 'blocked';
    return new Set(this.all.filter(isGiven).map(serverName));
  }

  get pinSubjects(): readonly PinSubject[] {
    return [...this.#servers.values()].flatMap(({ pinSubject }) => pinSubject ?? []);
  }

  stateOf(name: string): ConnectionState {
    return this.#parts.supervisor.get(name)?.state ?? { kind: 'idle' };
  }

  /** Whether a server is not connected, but a call would connect it. */
  isAway(name: string): boolean {
    return AWAY.has(this.stateOf(name).kind);
  }

  deadlinesOf(name: string): Deadlines {
    return this.#servers.get(name)?.supervised.deadlines ?? DEFAULT_DEADLINES;
  }

  filterOf(name: string): ToolFilter {
    return this.#servers.get(name)?.filter ?? {};
  }

  /** The open session, synchronously, since most calls find one. */
  ready(name: string): Result<Session, never> | undefined {
    const session = this.#parts.supervisor.get(name)?.ready;
    return session === undefined ? undefined : ok(session);
  }

  connect(
    name: string,
    signal: AbortSignal,
    occasion: Occasion = 'need',
  ): Promise<Result<Session, ConnectionState>> {
    const connection = this.#parts.supervisor.get(name);
    // Only an unknown server has no connection.
    if (connection === undefined) return Promise.resolve(err({ kind: 'idle' }));
    return connection.session(signal, occasion);
  }

  /** The list of a server from an earlier run. */
  async recall(name: string): Promise<StoredList | undefined> {
    const fingerprint = this.#fingerprintOf(name);
    return fingerprint === undefined ? undefined : this.#parts.store.list(fingerprint);
  }

  /** Stores a list for later runs. */
  keep(name: string, list: StoredList): void {
    const fingerprint = this.#fingerprintOf(name);
    if (fingerprint !== undefined) this.#parts.store.saveList(fingerprint, list);
  }

  /** Removes the stored list of a server, which may depend on the account. */
  forgetList(name: string): void {
    const fingerprint = this.#fingerprintOf(name);
    if (fingerprint !== undefined) this.#parts.store.forgetList(fingerprint);
  }

  /** Applies a new configuration. */
  replace(servers: readonly KnownServer[]): ServerChanges {
    const before = this.#servers;
    const next = byName(servers);
    const added = servers.filter(({ facts }) => !before.has(facts.name));
    const removed = [...before.values()].filter(({ facts }) => !next.has(facts.name));
    const changed = servers.filter(({ facts, identity }) => {
      const known = before.get(facts.name);
      return known !== undefined && known.identity !== identity;
    });
    const interrupted = changed.filter(({ facts }) => this.#isInUse(facts.name));
    const wereBarred = changed.filter(
      ({ facts }) => before.get(facts.name)?.supervised.barrier !== undefined,
    );
    this.#servers = next;
    for (const name of [...removed, ...changed].map(serverName)) {
      this.#parts.news.emit({ kind: 'gone', server: name });
      void this.#parts.supervisor.remove(name);
    }
    for (const server of [...added, ...changed]) this.#supervise(server);
    return {
      added: added.map(serverName),
      removed: removed.map(serverName),
      changed: changed.map(serverName),
      // A server that was blocked until now is treated like a new one.
      fresh: [...added, ...wereBarred],
      interrupted,
    };
  }

  /** Closes the connection of a server in any state, so that it can connect again. */
  async renew(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (server === undefined) return;
    this.#parts.news.emit({ kind: 'gone', server: name });
    const leaving = this.#parts.supervisor.remove(name);
    this.#supervise(server);
    await leaving;
  }

  #fingerprintOf(name: string): string | undefined {
    return this.#servers.get(name)?.supervised.fingerprint;
  }

  #isInUse(name: string): boolean {
    const { kind } = this.stateOf(name);
    return kind === 'ready' || kind === 'connecting' || kind === 'waiting';
  }

  #supervise(server: KnownServer): void {
    const { name } = server.facts;
    const { supervisor, records, news } = this.#parts;
    const kept = records.add(server.supervised, (line) =>
      news.emit({ kind: 'line', server: name, line }),
    );
    const connection = supervisor.add({ ...server.supervised, recorder: kept });
    connection.onChange((state) => {
      // Ignore a connection that was replaced or removed.
      if (supervisor.get(name) !== connection) return;
      if (state.kind === 'ready') {
        // The watches end with the session.
        state.session.watchLog((log) => {
          kept.log(log);
          news.emit({ kind: 'log', server: name, log });
        });
        if (server.speaksFreely) {
          state.session.watchNotifications((notification) =>
            news.emit({ kind: 'notification', server: name, ...notification }),
          );
        }
        news.emit({ kind: 'ready', server: name });
      }
      news.emit({ kind: 'state', server: this.#statusOf(this.#servers.get(name) ?? server) });
    });
  }

  #statusOf({ facts }: KnownServer): ServerStatus {
    return statusOf(facts, this.stateOf(facts.name));
  }
}

function serverName({ facts }: KnownServer): string {
  return facts.name;
}

function byName(servers: readonly KnownServer[]): ReadonlyMap<string, KnownServer> {
  return new Map(servers.map((server) => [server.facts.name, server]));
}
