// What each server offers, listed when first needed and kept while the server is away. The catalogue
// is built from all of it, and built again only when some of it changed.

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
import type { ConnectionState } from '../connection/index.ts';
import type { Session } from '../protocol/index.ts';

export interface OfferPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  connect(server: string, signal: AbortSignal): Promise<Result<Session, ConnectionState>>;
  filterOf(server: string): ToolFilter;
  listMsOf(server: string): number;
}

interface Listed extends ServerOffer {
  /** The session that gave it: a later session may offer something else. */
  readonly session: Session;
}

export class Offers {
  readonly #ports: OfferPorts;
  readonly #listed = new Map<string, Listed>();
  readonly #listing = new SingleFlight<string, Result<void, ConnectionState>>();
  #catalog: Catalog | undefined;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
  }

  get catalog(): Catalog {
    this.#catalog ??= new Catalog([...this.#listed.values()]);
    return this.#catalog;
  }

  isListed(server: string): boolean {
    return this.#listed.has(server);
  }

  /** Lists a server unless its present session was listed already. The error is why it cannot. */
  async refresh(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    const connected = await this.#ports.connect(server, signal);
    if (!connected.ok) return connected;
    const session = connected.value;
    if (this.#listed.get(server)?.session === session) return ok(undefined);
    // Shared by all who wait, so it must not end with the first of them who gives up.
    return this.#listing.run(server, () => this.#list(server, session));
  }

  async #list(server: string, session: Session): Promise<Result<void, ConnectionState>> {
    const { clock, logger } = this.#ports;
    const timeoutMs = this.#ports.listMsOf(server);
    using limit = deadline(timeoutMs, clock, never);
    const listing = await listAllTools(session, { signal: limit.signal, timeoutMs });
    if (!listing.ok) return err({ kind: 'failed', failure: listing.error });
    const { tools, rejected, cut } = listing.value;
    for (const { name, reason } of rejected) {
      logger.log('warn', 'left out a tool', { server, tool: name, reason });
    }
    if (cut !== undefined) logger.log('warn', 'the list of tools was cut', { server, reason: cut });
    this.#listed.set(server, { server, tools, session, filter: this.#ports.filterOf(server) });
    this.#catalog = undefined;
    return ok(undefined);
  }
}
