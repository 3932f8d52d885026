// From the name of a tool to the tool: what this run knows, then what an earlier one stored, and only
// then the servers themselves, which means connecting to them.

import { err, ok, type Result } from '@plugboard/base';
import type { CatalogTool } from '../catalog/index.ts';
import { closestName } from '../config/index.ts';
import type { ToolReference } from './call.ts';
import { type CallOutcome, withoutSession } from './call-outcome.ts';
import type { Offers } from './offers.ts';

export interface KnownNames {
  isConfigured(server: string): boolean;
  /** The servers that may be asked. */
  usable(): readonly string[];
}

type Found = Result<CatalogTool, CallOutcome>;

export class ToolLookup {
  readonly #offers: Offers;
  readonly #names: KnownNames;

  constructor(offers: Offers, names: KnownNames) {
    this.#offers = offers;
    this.#names = names;
  }

  resolve(reference: ToolReference, signal: AbortSignal): Found | Promise<Found> {
    const known = this.#find(reference);
    return known === undefined ? this.#resolveFromStore(reference, signal) : ok(known);
  }

  /** The tool as its server lists it now, where what is known of it is from an earlier run. */
  async renew(tool: CatalogTool, signal: AbortSignal): Promise<CatalogTool | undefined> {
    if (!this.#offers.isStored(tool.server)) return undefined;
    await this.#offers.refresh(tool.server, signal);
    return this.#find(tool);
  }

  async #resolveFromStore(reference: ToolReference, signal: AbortSignal): Promise<Found> {
    const servers = this.#names
      .usable()
      .filter((server) => typeof reference === 'string' || server === reference.server);
    await Promise.all(servers.map((server) => this.#offers.recall(server)));
    const known = this.#find(reference);
    return known === undefined ? this.#resolveByAsking(reference, signal) : ok(known);
  }

  async #resolveByAsking(reference: ToolReference, signal: AbortSignal): Promise<Found> {
    if (typeof reference === 'string') {
      const servers = this.#names.usable();
      await Promise.all(servers.map((server) => this.#offers.refresh(server, signal)));
    } else if (this.#names.isConfigured(reference.server)) {
      const refreshed = await this.#offers.refresh(reference.server, signal);
      if (!refreshed.ok) return err(withoutSession(reference, refreshed.error));
    }
    const found = this.#find(reference);
    return found === undefined ? err(this.#unknown(reference)) : ok(found);
  }

  #find(reference: ToolReference): CatalogTool | undefined {
    const { catalog } = this.#offers;
    return typeof reference === 'string'
      ? catalog.byName(reference)
      : catalog.byIdentity(reference);
  }

  #unknown(reference: ToolReference): CallOutcome {
    const { catalog } = this.#offers;
    if (typeof reference === 'string') {
      const names = catalog.tools.map(({ name }) => name);
      return { kind: 'unknown-tool', asked: reference, nearest: closestName(reference, names) };
    }
    const names = catalog.ofServer(reference.server).map(({ tool }) => tool);
    return {
      kind: 'unknown-tool',
      asked: reference.tool,
      nearest: closestName(reference.tool, names),
    };
  }
}
