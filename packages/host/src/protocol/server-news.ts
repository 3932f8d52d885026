// The notifications of a server over one session: list changes, its log, and those that MCP does not define. Handlers
// are registered with the first listener.

import { type Clock, Emitter, isObject, type Json } from '@plugboard/base';
import { watchListStream } from './list-watch.ts';
import { LOG_LEVEL_META_KEY } from './modern/meta-keys.ts';
import type { Era } from './neutral/model.ts';
import {
  LIST_KINDS,
  listChanged,
  type ListKind,
  type OwnNotification,
  type ServerLog,
} from './neutral/session.ts';
import { OwnNotifications } from './own-notifications.ts';
import type { SessionClient } from './session-client.ts';

export interface NewsPorts {
  readonly client: SessionClient;
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  readonly era: () => Era;
}

export class ServerNews {
  readonly #ports: NewsPorts;
  readonly #listChanges = new Emitter<ListKind>(ignore);
  readonly #logs = new Emitter<ServerLog>(ignore);
  #own: OwnNotifications | undefined;
  #isWatching = false;
  #isLogging = false;

  constructor(ports: NewsPorts) {
    this.#ports = ports;
  }

  watchLists(onChange: (list: ListKind) => void): Disposable {
    if (!this.#isWatching) this.#startWatching();
    return this.#listChanges.on(onChange);
  }

  watchLog(onLog: (log: ServerLog) => void): Disposable {
    if (!this.#isLogging) this.#startLogging();
    return this.#logs.on(onLog);
  }

  watchNotifications(onNotification: (notification: OwnNotification) => void): Disposable {
    const { client, clock } = this.#ports;
    if (this.#own === undefined) {
      const own = new OwnNotifications(clock);
      client.fallbackNotificationHandler = ({ method, params }) => {
        own.receive(method, params);
        return Promise.resolve();
      };
      this.#own = own;
    }
    return this.#own.on(onNotification);
  }

  /** Reports a change that was not learnt from a notification. */
  listChanged(list: ListKind): void {
    this.#listChanges.emit(list);
  }

  /** The parameters of a request. A modern server only sends log messages for requests that ask for them. */
  askForLog(params: Record<string, unknown>): Record<string, unknown> {
    const { client, era } = this.#ports;
    if (!this.#isLogging || era() !== 'modern') return params;
    if (client.getServerCapabilities()?.logging === undefined) return params;
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    return { ...params, _meta: { ...meta, [LOG_LEVEL_META_KEY]: 'info' } };
  }

  #startWatching(): void {
    this.#isWatching = true;
    const { client, clock, ending, era } = this.#ports;
    // Some servers send change notifications that they did not declare.
    for (const list of LIST_KINDS) {
      client.setNotificationHandler(listChanged(list), () => this.#listChanges.emit(list));
    }
    const lists = announcedLists(client);
    if (era() === 'legacy' || lists.length === 0) return;
    const filter = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
    const listen = () => client.listen(filter, { signal: ending });
    const onGap = (): void => lists.forEach((list) => this.#listChanges.emit(list));
    void watchListStream({ clock, random: Math.random, listen, onGap }, ending);
  }

  #startLogging(): void {
    this.#isLogging = true;
    const { client, era } = this.#ports;
    if (client.getServerCapabilities()?.logging === undefined) return;
    client.setNotificationHandler('notifications/message', ({ params }) =>
      this.#logs.emit({
        level: params.level,
        logger: params.logger,
        data: params.data as Json,
      }),
    );
    if (era() !== 'legacy') return;
    // A server that refuses keeps its current level.
    void client.setLoggingLevel('info').catch(ignore);
  }
}

/** The lists for which a server declares change notifications. */
export function announcedLists(client: SessionClient): readonly ListKind[] {
  const capabilities = client.getServerCapabilities() ?? {};
  return LIST_KINDS.filter((list) => capabilities[list]?.listChanged === true);
}

function ignore(): void {}
