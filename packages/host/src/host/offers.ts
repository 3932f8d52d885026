// What each server offers, listed when first needed and kept while the server is away. The catalogue
// is built from all of it, and built again only when some of it changed. A server that says that its
// list changed is listed again, once however often it says so meanwhile.

import {
  type Clock,
  deadline,
  err,
  type Logger,
  never,
  ok,
  type Result,
  SingleFlight,
} from '@plugboard/base';
import { Catalog, listAllTools, type ServerOffer, type ToolFilter } from '../catalog/index.ts';
import type { ConnectionFailure, ConnectionState } from '../connection/index.ts';
import type { Session } from '../protocol/index.ts';

export interface OfferPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  connect(server: string, signal: AbortSignal): Promise<Result<Session, ConnectionState>>;
  filterOf(server: string): ToolFilter;
  listMsOf(server: string): number;
  /** A server's tools are not what they were. */
  onChanged(server: string): void;
  /** A changed list could not be read; the old one stays. */
  onStale(server: string, failure: ConnectionFailure): void;
}

interface Listed extends ServerOffer {
  /** The session that gave it: a later session may offer something else. */
  readonly session: Session;
}

export class Offers {
  readonly #ports: OfferPorts;
  readonly #listed = new Map<string, Listed>();
  readonly #listing = new SingleFlight<string, Result<void, ConnectionFailure>>();
  /** Servers whose list changed while it was being read: it is read once more. */
  readonly #dirty = new Set<string>();
  readonly #watched = new WeakSet<Session>();
  #catalog: Catalog | undefined;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
  }

  get catalog(): Catalog {
    this.#catalog ??= new Catalog([...this.#listed.values()]);
    return this.#catalog;
  }

  /** Lists a server unless its present session was listed already. The error is why it cannot. */
  async refresh(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    const connected = await this.#ports.connect(server, signal);
    if (!connected.ok) return connected;
    const session = connected.value;
    if (this.#listed.get(server)?.session === session) return ok(undefined);
    this.#watch(server, session);
    const listed = await this.#list(server, session);
    return listed.ok ? listed : err({ kind: 'failed', failure: listed.error });
  }

  #watch(server: string, session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    // Ends with the session.
    session.watchLists((list) => {
      if (list === 'tools') void this.#relist(server, session);
    });
  }

  async #relist(server: string, session: Session): Promise<void> {
    if (this.#listing.has(server)) {
      this.#dirty.add(server);
      return;
    }
    const listed = await this.#list(server, session);
    if (!listed.ok) this.#ports.onStale(server, listed.error);
    if (this.#dirty.delete(server)) await this.#relist(server, session);
  }

  /** Shared by all who wait, so it must not end with the first of them who gives up. */
  #list(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    return this.#listing.run(server, () => this.#read(server, session));
  }

  async #read(server: string, session: Session): Promise<Result<void, ConnectionFailure>> {
    const timeoutMs = this.#ports.listMsOf(server);
    using limit = deadline(timeoutMs, this.#ports.clock, never);
    const listing = await listAllTools(session, { signal: limit.signal, timeoutMs });
    if (!listing.ok) return err(listing.error);
    const { tools, rejected, cut } = listing.value;
    const { logger } = this.#ports;
    for (const { name, reason } of rejected) {
      logger.log('warn', 'left out a tool', { server, tool: name, reason });
    }
    if (cut !== undefined) logger.log('warn', 'the list of tools was cut', { server, reason: cut });
    this.#listed.set(server, { server, tools, session, filter: this.#ports.filterOf(server) });
    this.#catalog = undefined;
    this.#ports.onChanged(server);
    return ok(undefined);
  }
}
