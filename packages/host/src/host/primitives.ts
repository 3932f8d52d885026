// What a host has beside tools, put together over its servers.

import type { Clock, Logger } from '@plugboard/base';
import { ServerQueries, type ChangedList } from './server-queries.ts';
import { Prompts } from './prompts.ts';
import type { ReadingPorts } from './reading.ts';
import { Resources } from './resources.ts';
import type { ServerSet } from './server-set.ts';
import { Skills } from './skills.ts';
import { Subscriptions } from './subscriptions.ts';

export interface PrimitivesPorts extends ReadingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers: Pick<ServerSet, 'names' | 'usable' | 'connect' | 'deadlinesOf'>;
  readonly onListChanged: (server: string, list: ChangedList) => void;
}

export class Primitives implements Disposable {
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly skills: Skills;
  readonly #subscriptions: Subscriptions;

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
    this.resources = new Resources({ asking, subscriptions, usable, mayRead, fit });
    this.prompts = new Prompts({ asking, usable, fit });
    this.skills = new Skills({ asking, usable, mayRead });
  }

  /** A server is connected. */
  onReady(server: string): void {
    this.#subscriptions.onReady(server);
  }

  [Symbol.dispose](): void {
    this.#subscriptions[Symbol.dispose]();
  }
}
