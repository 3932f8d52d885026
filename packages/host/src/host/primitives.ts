// Assembles the resources, prompts and skills of all servers of a host.

import type { Clock, Emitter, JsonObject, Logger } from '@plugboard/base';
import type { HostEvent } from './host-surface.ts';
import { type ListOf, type ListProblems, listServers } from './list-servers.ts';
import { PROMPTS, Prompts } from './prompts.ts';
import type { ReadingParts } from './reading.ts';
import { Resources, RESOURCES, TEMPLATES } from './resources.ts';
import { type QueriedServers, ServerQueries } from './server-queries.ts';
import { Skills } from './skills.ts';
import { Subscriptions } from './subscriptions.ts';

export interface PrimitivesParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers: QueriedServers;
  readonly permission: ReadingParts['permission'];
  readonly output: ReadingParts['output'];
  readonly events: Emitter<HostEvent>;
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
  /** Decides about every read, whoever asks for it. */
  readonly permission: ReadingParts['permission'];
  readonly #subscriptions: Subscriptions;
  readonly #queries: ServerQueries;

  constructor({ clock, logger, servers, permission, output, events }: PrimitivesParts) {
    const queries = new ServerQueries({ clock, servers, events });
    const subscriptions = new Subscriptions({ queries, clock, logger });
    this.permission = permission;
    this.#queries = queries;
    this.#subscriptions = subscriptions;
    this.resources = new Resources({ queries, permission, output, subscriptions });
    this.prompts = new Prompts({ queries, output });
    this.skills = new Skills({ queries, permission });
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
