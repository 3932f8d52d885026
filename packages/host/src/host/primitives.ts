// Assembles what a host offers beside tools, over all its servers.

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

/** The lists of a server beside that of its tools. */
const LISTS = { prompts: PROMPTS, resources: RESOURCES, templates: TEMPLATES };

export type PrimitiveList = keyof typeof LISTS;

/** What a server lists, with every member that it sent. */
export interface ListedByServer extends ListProblems {
  readonly items: readonly JsonObject[];
}

export class Primitives implements Disposable {
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly skills: Skills;
  readonly #subscriptions: Subscriptions;
  readonly #asking: ServerQueries;

  constructor({ clock, logger, servers, permission, output, events }: PrimitivesParts) {
    const asking = new ServerQueries({ clock, servers, events });
    const subscriptions = new Subscriptions({ asking, clock, logger });
    this.#asking = asking;
    this.#subscriptions = subscriptions;
    this.resources = new Resources({ asking, permission, output, subscriptions });
    this.prompts = new Prompts({ asking, output });
    this.skills = new Skills({ asking, permission });
  }

  /** Connects to the server. An answer that is kept counts. */
  async list(kind: PrimitiveList, server: string, signal: AbortSignal): Promise<ListedByServer> {
    const options = { servers: [server], signal };
    const { items, ...problems } = await listServers<object>(
      this.#asking,
      LISTS[kind] as ListOf<object>,
      options,
    );
    return { items: items.map(({ item }) => item as JsonObject), ...problems };
  }

  /** A server is connected. */
  onReady(server: string): void {
    this.#subscriptions.onReady(server);
  }

  [Symbol.dispose](): void {
    this.#subscriptions[Symbol.dispose]();
  }
}
