// Assembles what a host offers beside tools, over all its servers.

import type { Clock, JsonObject, Logger } from '@plugboard/base';
import { ServerQueries, type ChangedList } from './server-queries.ts';
import { type ListOf, type ListPorts, type ListProblems, listServers } from './list-servers.ts';
import { PROMPTS, Prompts } from './prompts.ts';
import type { ReadingPorts } from './reading.ts';
import { Resources, RESOURCES, TEMPLATES } from './resources.ts';
import type { ServerSet } from './server-set.ts';
import { Skills } from './skills.ts';
import { Subscriptions } from './subscriptions.ts';

export interface PrimitivesPorts extends ReadingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers: Pick<ServerSet, 'names' | 'usable' | 'connect' | 'deadlinesOf'>;
  readonly onListChanged: (server: string, list: ChangedList) => void;
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
  readonly #listing: ListPorts;

  constructor({ clock, logger, servers, onListChanged, mayRead, fit }: PrimitivesPorts) {
    const asking = new ServerQueries({
      clock,
      logger,
      configured: () => servers.names,
      connect: (server, signal) => servers.connect(server, signal),
      deadlinesOf: (server) => servers.deadlinesOf(server),
      onListChanged,
    });
    this.#subscriptions = new Subscriptions({
      asking,
      clock,
      logger,
      patienceOf: (server) => servers.deadlinesOf(server).listMs,
    });
    const usable = (): readonly string[] => servers.usable;
    const subscriptions = this.#subscriptions;
    this.#listing = { asking, usable };
    this.resources = new Resources({ asking, subscriptions, usable, mayRead, fit });
    this.prompts = new Prompts({ asking, usable, fit });
    this.skills = new Skills({ asking, usable, mayRead });
  }

  /** Connects to the server. An answer that is kept counts. */
  async list(kind: PrimitiveList, server: string, signal: AbortSignal): Promise<ListedByServer> {
    const options = { servers: [server], signal };
    const { items, ...problems } = await listServers<object>(
      this.#listing,
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
