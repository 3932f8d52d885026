// What a host has beside tools, put together over its servers.

import type { Clock, Logger } from '@plugboard/base';
import type { Approval } from './approver.ts';
import { Asking, type ChangedList } from './asking.ts';
import { Prompts } from './prompts.ts';
import { Resources } from './resources.ts';
import type { ServerSet } from './server-set.ts';
import { Skills } from './skills.ts';
import { Subscriptions } from './subscriptions.ts';

export interface PrimitivesPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly servers: Pick<ServerSet, 'has' | 'usable' | 'connect' | 'deadlinesOf'>;
  /** Whether a resource may be read; all may, unless given. */
  readonly mayRead?: (server: string, uri: string) => Approval;
  readonly onListChanged: (server: string, list: ChangedList) => void;
}

const ALLOW: Approval = { kind: 'allow' };

export class Primitives implements Disposable {
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly skills: Skills;
  readonly #subscriptions: Subscriptions;

  constructor({ clock, logger, servers, onListChanged, ...ports }: PrimitivesPorts) {
    const asking = new Asking({
      clock,
      logger,
      isConfigured: (server) => servers.has(server),
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
    const mayRead = ports.mayRead ?? (() => ALLOW);
    const subscriptions = this.#subscriptions;
    this.resources = new Resources({ asking, subscriptions, usable, mayRead });
    this.prompts = new Prompts({ asking, usable });
    this.skills = new Skills({ asking, usable });
  }

  /** A server is connected. */
  onReady(server: string): void {
    this.#subscriptions.onReady(server);
  }

  [Symbol.dispose](): void {
    this.#subscriptions[Symbol.dispose]();
  }
}
