// Assembles the resources, prompts and skills of all servers of a host.

import type { JsonObject, Logger } from '@plugboard/base';
import { type ListOf, type ListProblems, listServers } from './list-servers.ts';
import { PROMPTS, Prompts } from './prompts.ts';
import type { ReadingParts } from './reading.ts';
import { Resources, RESOURCES, TEMPLATES } from './resources.ts';
import { ServerQueries, type ServerQueryParts } from './server-queries.ts';
import { Skills } from './skills.ts';
import { Subscriptions } from './subscriptions.ts';

export interface PrimitivesParts extends ServerQueryParts, Omit<ReadingParts, 'queries'> {
  readonly logger: Logger;
}

/** What a server lists beside tools. */
const LISTS = { prompts: PROMPTS, resources: RESOURCES, templates: TEMPLATES };

export type PrimitiveList = keyof typeof LISTS;

/** A list of a server, with every member that it sent. */
export interface ListedByServer extends ListProblems {
  readonly items: readonly JsonObject[];
}

export class Primitives implements Disposable {
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly skills: Skills;
  readonly #subscriptions: Subscriptions;
  readonly #queries: ServerQueries;

  constructor(given: PrimitivesParts) {
    this.#queries = new ServerQueries(given, Object.values(LISTS));
    const parts = { ...given, queries: this.#queries };
    this.#subscriptions = new Subscriptions(parts);
    this.resources = new Resources(parts, this.#subscriptions);
    this.prompts = new Prompts(parts);
    this.skills = new Skills(parts);
  }

  /** Connects to the server. May return a cached answer. */
  async list(kind: PrimitiveList, server: string, signal: AbortSignal): Promise<ListedByServer> {
    const options = { servers: [server], signal };
    const { items, ...problems } = await listServers<object>(
      this.#queries,
      LISTS[kind] as ListOf<object>,
      options,
    );
    return { items: items.map(({ item }) => item as JsonObject), ...problems };
  }

  /** Called when a server is connected. */
  onReady(server: string): void {
    this.#subscriptions.onReady(server);
  }

  [Symbol.dispose](): void {
    this.#subscriptions[Symbol.dispose]();
  }
}
