// The tools of each server, listed when first needed and kept while the server is away, even beyond the end of the host.
// The catalogue is built from all lists, and rebuilt only when one changes. A server that reports a changed list is listed
// again, once for all reports that arrive meanwhile.

import { isDeepStrictEqual } from 'node:util';
import {
  type Clock,
  deadline,
  type Emitter,
  err,
  type Instant,
  type Logger,
  never,
  ok,
  type Result,
  SingleFlight,
} from '@plugboard/base';
import { Catalog, listAll, type ServerOffer } from '../catalog/index.ts';
import type { ConnectionFailure, ConnectionState, Occasion } from '../connection/index.ts';
import type { Session, ToolDefinition } from '../protocol/index.ts';
import type { HostPins } from './host-pins.ts';
import type { HostEvent, ListOrigin } from './host-surface.ts';
import type { ServerSet } from './server-set.ts';

export interface OfferParts {
  readonly servers: ServerSet;
  readonly pins: HostPins;
  readonly events: Emitter<HostEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ListedOffer extends ServerOffer {
  readonly at: Instant;
  /** The session that listed it: a later session may list other tools. `undefined` for a list of an earlier run. */
  readonly session: Session | undefined;
  /** When it expires, on the clock's elapsed time. */
  readonly staleAt: number;
  /** The mark of the credentials of the request. */
  readonly mark: string;
}

const NEVER_STALE = { staleAt: Number.POSITIVE_INFINITY, mark: '' };

export class Offers {
  readonly #servers: ServerSet;
  readonly #pins: HostPins;
  readonly #events: Emitter<HostEvent>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listed = new Map<string, ListedOffer>();
  readonly #listing = new SingleFlight<Session, Result<void, ConnectionFailure>>();
  /** Sessions whose list changed while it was read, and is read once more. */
  readonly #dirty = new WeakSet<Session>();
  /** Sessions of servers whose configuration has changed: their lists no longer count. */
  readonly #outdated = new WeakSet<Session>();
  readonly #sessions = new Map<string, Session>();
  readonly #watched = new WeakSet<Session>();
  #catalog: Catalog | undefined;
  /** The revision of the pins from which the catalogue was built. */
  #revision = 0;

  constructor({ servers, pins, events, clock, logger }: OfferParts) {
    this.#servers = servers;
    this.#pins = pins;
    this.#events = events;
    this.#clock = clock;
    this.#logger = logger;
  }

  get catalog(): Catalog {
    if (this.#catalog === undefined || this.#revision !== this.#pins.revision) {
      this.#revision = this.#pins.revision;
      const listed = [...this.#listed.values()];
      this.#catalog = new Catalog(listed.map((offer) => this.#withoutQuarantined(offer)));
    }
    return this.#catalog;
  }

  /** The origins of the known lists of these servers. */
  originsOf(servers: readonly string[]): readonly ListOrigin[] {
    return servers.flatMap((server) => {
      const listed = this.#listed.get(server);
      if (listed === undefined) return [];
      const source = listed.session === undefined ? 'stored' : 'server';
      return [{ server, at: listed.at, source }];
    });
  }

  /** Whether a server's known tools were listed in an earlier run. */
  isStored(server: string): boolean {
    const listed = this.#listed.get(server);
    return listed !== undefined && listed.session === undefined;
  }

  /** Makes a server's tools known. Lists them only if they are unknown, or the server is connected. */
  async know(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    if (this.#servers.isAway(server) && (await this.recall(server)) === 'known')
      return ok(undefined);
    return this.refresh(server, signal);
  }

  /** Uses the list of this run or of an earlier one. Sends no request. */
  async recall(server: string): Promise<'known' | 'unknown'> {
    if (this.#listed.has(server)) return 'known';
    const stored = await this.#servers.recall(server);
    if (stored !== undefined) await this.#pins.judge(server, stored);
    // The server may have listed its tools meanwhile.
    if (this.#listed.has(server)) return 'known';
    if (stored === undefined) return 'unknown';
    const { at, tools } = stored;
    const filter = this.#servers.filterOf(server);
    this.#set({ server, at, tools, session: undefined, filter, ...NEVER_STALE });
    return 'known';
  }

  /** Lists a server's tools, unless the list of its current session is still valid. */
  async refresh(
    server: string,
    signal: AbortSignal,
    occasion: Occasion = 'need',
  ): Promise<Result<void, ConnectionState>> {
    const connected = await this.#servers.connect(server, signal, occasion);
    if (!connected.ok) return connected;
    const session = connected.value;
    const before = this.#listed.get(server);
    const isKnown = before?.session === session;
    if (isKnown && (await this.#isValid(before, session, signal))) return ok(undefined);
    this.#watch(server, session);
    const listed = await this.#list(server, session);
    if (listed.ok) return listed;
    if (!isKnown) return err({ kind: 'failed', failure: listed.error });
    this.#reportStale(server, listed.error);
    return ok(undefined);
  }

  /** Whether a list has not expired and was requested with the same credentials. */
  async #isValid(listed: ListedOffer, session: Session, signal: AbortSignal): Promise<boolean> {
    if (this.#clock.elapsed() >= listed.staleAt) return false;
    return listed.mark === (await session.credentialsMark(signal));
  }

  /** Drops the list of a server that was removed or replaced. */
  forget(server: string): void {
    const session = this.#sessions.get(server);
    if (session !== undefined) this.#outdated.add(session);
    this.#sessions.delete(server);
    this.#listed.delete(server);
    this.#pins.forget(server);
    this.#catalog = undefined;
  }

  #watch(server: string, session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    this.#sessions.set(server, session);
    // The watch ends with the session.
    session.watchLists((list) => {
      if (list === 'tools') void this.#relist(server, session);
    });
  }

  async #relist(server: string, session: Session): Promise<void> {
    if (this.#listing.has(session)) {
      this.#dirty.add(session);
      return;
    }
    const listed = await this.#list(server, session);
    if (!listed.ok) this.#reportStale(server, listed.error);
    if (this.#dirty.delete(session)) await this.#relist(server, session);
  }

  /** Shared by all callers, so it must not end when one of them aborts. */
  #list(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    return this.#listing.run(session, () => this.#read(server, session));
  }

  async #read(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    const timeoutMs = this.#servers.deadlinesOf(server).listMs;
    using limit = deadline(timeoutMs, this.#clock, never);
    const mark = await session.credentialsMark(limit.signal);
    const listing = await listAll<ToolDefinition>({
      nameOf: ({ name }) => name,
      page: (cursor) => session.listTools(cursor, { signal: limit.signal, timeoutMs }),
    });
    if (!listing.ok) {
      const { error } = listing;
      return err(error.kind === 'timeout' ? { ...error, during: 'listing' } : error);
    }
    const { items: tools, rejected, cut, freshness } = listing.value;
    const { instructions } = session;
    await this.#pins.judge(server, { tools, instructions });
    if (this.#outdated.has(session)) return err({ kind: 'closed' });
    const logger = this.#logger;
    for (const { name, reason } of rejected) {
      logger.log('warn', 'left out a tool', { server, tool: name, reason });
    }
    if (cut !== undefined) logger.log('warn', 'the list of tools was cut', { server, reason: cut });
    const at = this.#clock.now();
    // A server that reports changes need not be listed again.
    const isLasting = freshness === undefined || session.features.announces.has('tools');
    const staleAt = isLasting ? NEVER_STALE.staleAt : this.#clock.elapsed() + freshness.ttlMs;
    const before = this.#listed.get(server);
    const isSame = before?.session === session && isDeepStrictEqual(before.tools, tools);
    const filter = this.#servers.filterOf(server);
    // An unchanged list keeps its identity, so that values that are stored per definition stay valid.
    const kept = isSame ? before.tools : tools;
    this.#set({ server, at, tools: kept, session, filter, staleAt, mark });
    this.#servers.keep(server, { at, tools, instructions: session.instructions });
    // Otherwise a listener that requests the tools on this event would trigger it again.
    if (!isSame) this.#events.emit({ kind: 'tools', server });
    return ok(undefined);
  }

  /** Reports that a changed list could not be read, and the old one stays in effect. */
  #reportStale(server: string, failure: ConnectionFailure): void {
    this.#events.emit({ kind: 'stale-tools', server, failure });
  }

  #withoutQuarantined(offer: ServerOffer): ServerOffer {
    const { server, tools } = offer;
    return { ...offer, tools: tools.filter((tool) => this.#pins.admits(server, tool)) };
  }

  #set(listed: ListedOffer): void {
    this.#listed.set(listed.server, listed);
    this.#pins.take(listed);
    this.#catalog = undefined;
  }
}
