// Finds a tool by its name: in the lists of this run, then in the stored lists of earlier runs, and only then by
// connecting to servers and listing them.

import { abortSignalOf, type CancelSignal, err, ok, type Result } from '@plugboard/base';
import {
  type CatalogTool,
  namePrefixOf,
  namedInModelName,
  type ToolReference,
} from '../catalog/index.ts';
import { closestName } from '../config/index.ts';
import { type CallOutcome, unknownServer, withoutSession } from './call-outcome.ts';
import type { HostPins } from './host-pins.ts';
import type { Offers } from './offers.ts';
import type { ServerSet } from './server-set.ts';

export interface LookupParts {
  readonly offers: Offers;
  readonly servers: ServerSet;
  readonly pins: HostPins;
}

type LookupResult = Result<CatalogTool, CallOutcome>;

/** Whether an outcome is about the server that the reference names. */
function isAboutServerOf(outcome: CallOutcome, reference: ToolReference): boolean {
  if (!('server' in outcome)) return false;
  return typeof reference === 'string'
    ? reference.startsWith(namePrefixOf(outcome.server))
    : reference.server === outcome.server;
}

export class ToolLookup {
  readonly #offers: Offers;
  readonly #servers: ServerSet;
  readonly #pins: HostPins;

  constructor({ offers, servers, pins }: LookupParts) {
    this.#offers = offers;
    this.#servers = servers;
    this.#pins = pins;
  }

  resolve(reference: ToolReference, signal: CancelSignal): LookupResult | Promise<LookupResult> {
    const known = this.#find(reference);
    if (known !== undefined) return ok(known);
    return this.#resolveFromStore(reference, abortSignalOf(signal));
  }

  /** Lists the server if its tools are known from an earlier run, and returns the current tool. */
  async renew(tool: CatalogTool, signal: AbortSignal): Promise<CatalogTool | undefined> {
    if (!this.#offers.isStored(tool.server)) return undefined;
    await this.#offers.refresh(tool.server, signal);
    return this.#find(tool);
  }

  /** The outcome of a call to a tool that is kept back; synchronously `undefined` for all other tools. */
  recheck(reference: ToolReference): CallOutcome | undefined | Promise<CallOutcome | undefined> {
    return this.#find(reference) === undefined ? this.#quarantineOutcome(reference) : undefined;
  }

  async #quarantineOutcome(reference: ToolReference): Promise<CallOutcome | undefined> {
    const quarantined = this.#pins.find(reference);
    if (quarantined === undefined) return undefined;
    const { server, name: tool } = quarantined;
    const changes = await this.#pins.changes(quarantined);
    return { kind: 'quarantined', server, tool, quarantined, changes };
  }

  /** Finds a tool that was kept back and that the user has accepted meanwhile, in this process or another. */
  async #findAccepted(reference: ToolReference): Promise<CatalogTool | undefined> {
    const quarantined = this.#pins.find(reference);
    if (quarantined === undefined) return undefined;
    await this.#pins.reconsider(quarantined.server);
    return this.#find(reference);
  }

  async #resolveFromStore(reference: ToolReference, signal: AbortSignal): Promise<LookupResult> {
    const servers = this.#servers.usable.filter(
      (server) => typeof reference === 'string' || server === reference.server,
    );
    await Promise.all(servers.map((server) => this.#offers.recall(server)));
    const known = this.#find(reference) ?? (await this.#findAccepted(reference));
    if (known !== undefined) return ok(known);
    const refused = await this.#quarantineOutcome(reference);
    return refused === undefined ? this.#resolveByListing(reference, signal) : err(refused);
  }

  async #resolveByListing(reference: ToolReference, signal: AbortSignal): Promise<LookupResult> {
    const away = await Promise.all(
      this.#candidateServers(reference).map(async (server) => {
        const refreshed = await this.#offers.refresh(server, signal);
        const tool = typeof reference === 'string' ? reference : reference.tool;
        return refreshed.ok ? [] : [withoutSession({ server, tool }, refreshed.error)];
      }),
    );
    const found = this.#find(reference);
    if (found !== undefined) return ok(found);
    const refused = await this.#quarantineOutcome(reference);
    if (refused !== undefined) return err(refused);
    // A server that cannot be listed may have the tool, so it is not reported as unknown.
    const [first] = away.flat();
    return err(
      first !== undefined && isAboutServerOf(first, reference)
        ? first
        : this.#unknownOutcome(reference),
    );
  }

  /** The servers whose prefix fits a model name, or else all servers. */
  #candidateServers(reference: ToolReference): readonly string[] {
    if (typeof reference !== 'string') {
      return this.#servers.names.includes(reference.server) ? [reference.server] : [];
    }
    const usable = this.#servers.usable;
    const fitting = usable.filter((server) => reference.startsWith(namePrefixOf(server)));
    return fitting.length > 0 ? fitting : usable;
  }

  #find(reference: ToolReference): CatalogTool | undefined {
    const { catalog } = this.#offers;
    return typeof reference === 'string'
      ? catalog.byName(reference)
      : catalog.byIdentity(reference);
  }

  #unknownOutcome(reference: ToolReference): CallOutcome {
    const { catalog } = this.#offers;
    const configured = this.#servers.names;
    if (typeof reference === 'string') {
      const names = catalog.tools.map(({ name }) => name);
      const nearest = closestName(reference, names);
      const named = namedInModelName(reference);
      if (
        named === undefined ||
        configured.some((one) => reference.startsWith(namePrefixOf(one)))
      ) {
        return { kind: 'unknown-tool', asked: reference, nearest };
      }
      const outcome = unknownServer(named, configured);
      return nearest === undefined ? outcome : { ...outcome, nearestTool: nearest };
    }
    if (!configured.includes(reference.server)) return unknownServer(reference, configured);
    const names = catalog.ofServer(reference.server).map(({ tool }) => tool);
    return {
      kind: 'unknown-tool',
      asked: reference.tool,
      nearest: closestName(reference.tool, names),
    };
  }
}
