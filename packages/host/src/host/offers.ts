// What each server offers, listed when first needed and kept while the server is away, even over the end of the host.
// The catalogue is built from all of it, and built again only when some of it changed. A server that says that its list
// changed is listed again, once however often it says so meanwhile.

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
import { Catalog, listAllTools, type ServerOffer } from '../catalog/index.ts';
import type { ConnectionFailure, ConnectionState, Occasion } from '../connection/index.ts';
import type { Session } from '../protocol/index.ts';
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
  /** The session that gave it: a later session may offer something else. None of this run's, maybe. */
  readonly session: Session | undefined;
  /** From when on it has to be asked for again, on the clock's elapsed time. */
  readonly staleAt: number;
  /** Of the credentials that it was asked for with. */
  readonly mark: string;
}

const LASTING = { staleAt: Number.POSITIVE_INFINITY, mark: '' };

export class Offers {
  readonly #servers: ServerSet;
  readonly #pins: HostPins;
  readonly #events: Emitter<HostEvent>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listed = new Map<string, ListedOffer>();
  readonly #listing = new SingleFlight<Session, Result<void, ConnectionFailure>>();
  /** Sessions whose list changed while it was being read: it is read once more. */
  readonly #dirty = new WeakSet<Session>();
  /** Sessions of servers that are configured otherwise by now: what they still say does not count. */
  readonly #outdated = new WeakSet<Session>();
  readonly #sessions = new Map<string, Session>();
  readonly #watched = new WeakSet<Session>();
  #catalog: Catalog | undefined;
  /** Of the pins that the catalogue was built by. */
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
      this.#catalog = new Catalog(listed.map((offer) => this.#admitted(offer)));
    }
    return this.#catalog;
  }

  /** Where the tools of these servers are from, as far as any are known. */
  originsOf(servers: readonly string[]): readonly ListOrigin[] {
    return servers.flatMap((server) => {
      const listed = this.#listed.get(server);
      if (listed === undefined) return [];
      const source = listed.session === undefined ? 'stored' : 'server';
      return [{ server, at: listed.at, source }];
    });
  }

  /** Whether all that is known of a server's tools was listed in an earlier run. */
  isStored(server: string): boolean {
    const listed = this.#listed.get(server);
    return listed !== undefined && listed.session === undefined;
  }

  /** Makes a server's tools known; asks it only where nothing is known of it, or it is connected. */
  async know(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    if (this.#servers.isAway(server) && (await this.recall(server)) === 'known')
      return ok(undefined);
    return this.refresh(server, signal);
  }

  /** Publishes what was listed before, in this run or an earlier one. Sends no request. */
  async recall(server: string): Promise<'known' | 'unknown'> {
    if (this.#listed.has(server)) return 'known';
    const stored = await this.#servers.recall(server);
    if (stored !== undefined) await this.#pins.judge(server, stored);
    // The server itself may have listed them meanwhile.
    if (this.#listed.has(server)) return 'known';
    if (stored === undefined) return 'unknown';
    const { at, tools } = stored;
    const filter = this.#servers.filterOf(server);
    this.#set({ server, at, tools, session: undefined, filter, ...LASTING });
    return 'known';
  }

  /** Lists a server unless its present session was listed already, and that counts. The error is why it cannot. */
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
    if (isKnown && (await this.#counts(before, session, signal))) return ok(undefined);
    this.#watch(server, session);
    const listed = await this.#list(server, session);
    if (listed.ok) return listed;
    if (!isKnown) return err({ kind: 'failed', failure: listed.error });
    this.#sayStale(server, listed.error);
    return ok(undefined);
  }

  /** For as long as the server said, and for whom it was listed. */
  async #counts(listed: ListedOffer, session: Session, signal: AbortSignal): Promise<boolean> {
    if (this.#clock.elapsed() >= listed.staleAt) return false;
    return listed.mark === (await session.credentialsMark(signal));
  }

  /** Nothing is known of a server any more: it is gone, or another one took its name. */
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
    // Ends with the session.
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
    if (!listed.ok) this.#sayStale(server, listed.error);
    if (this.#dirty.delete(session)) await this.#relist(server, session);
  }

  /** Shared by all who wait, so it must not end with the first of them who gives up. */
  #list(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    return this.#listing.run(session, () => this.#read(server, session));
  }

  async #read(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    const timeoutMs = this.#servers.deadlinesOf(server).listMs;
    using limit = deadline(timeoutMs, this.#clock, never);
    const mark = await session.credentialsMark(limit.signal);
    const listing = await listAllTools(session, { signal: limit.signal, timeoutMs });
    if (!listing.ok) {
      const { error } = listing;
      return err(error.kind === 'timeout' ? { ...error, during: 'listing' } : error);
    }
    const { instructions } = session;
    await this.#pins.judge(server, { tools: listing.value.tools, instructions });
    if (this.#outdated.has(session)) return err({ kind: 'closed' });
    const { tools, rejected, cut, freshness } = listing.value;
    const logger = this.#logger;
    for (const { name, reason } of rejected) {
      logger.log('warn', 'left out a tool', { server, tool: name, reason });
    }
    if (cut !== undefined) logger.log('warn', 'the list of tools was cut', { server, reason: cut });
    const at = this.#clock.now();
    // One that tells when they change need not be asked again.
    const isLasting = freshness === undefined || session.features.announces.has('tools');
    const staleAt = isLasting ? LASTING.staleAt : this.#clock.elapsed() + freshness.ttlMs;
    const before = this.#listed.get(server);
    const isSame = before?.session === session && isDeepStrictEqual(before.tools, tools);
    const filter = this.#servers.filterOf(server);
    // An unchanged list keeps its identity, so that values which callers keep for the object stay valid.
    const kept = isSame ? before.tools : tools;
    this.#set({ server, at, tools: kept, session, filter, staleAt, mark });
    this.#servers.keep(server, { at, tools, instructions: session.instructions });
    // A listener that asks for the tools when told would otherwise be told for asking.
    if (!isSame) this.#events.emit({ kind: 'tools', server });
    return ok(undefined);
  }

  /** A changed list could not be read; the old one stays. */
  #sayStale(server: string, failure: ConnectionFailure): void {
    this.#events.emit({ kind: 'stale-tools', server, failure });
  }

  #admitted(offer: ServerOffer): ServerOffer {
    const { server, tools } = offer;
    return { ...offer, tools: tools.filter((tool) => this.#pins.admits(server, tool)) };
  }

  #set(listed: ListedOffer): void {
    this.#listed.set(listed.server, listed);
    this.#pins.take(listed);
    this.#catalog = undefined;
  }
}
