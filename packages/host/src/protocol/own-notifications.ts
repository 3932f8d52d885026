// Notifications that MCP does not define, such as those of an editor about its files and selection, or those that a
// program and its own server agreed on. Notifications from a server are hostile: they are limited in size, depth and
// rate, and passed on as plain data.

import { type Clock, Emitter, isObject, type JsonObject, parseJson } from '@plugboard/base';
import { LIST_CHANGES, type OwnNotification } from './neutral/session.ts';

/** The limits of the parameters, in characters and levels. */
const LIMITS = { maxLength: 256 * 1024, maxDepth: 32 };
const METHOD = /^[\x21-\x7e]{1,128}$/;

/** More notifications in one second are dropped. */
const MAX_PER_SECOND = 100;

/** The notifications of all revisions and their extensions. */
const PROTOCOL_METHODS: ReadonlySet<string> = new Set([
  ...LIST_CHANGES,
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/initialized',
  'notifications/message',
  'notifications/progress',
  'notifications/resources/updated',
  'notifications/roots/list_changed',
  'notifications/subscriptions/acknowledged',
  'notifications/tasks',
  'notifications/tasks/status',
]);

/** The notification as plain data; `undefined` if MCP defines it, or if it is invalid or too large. */
export function ownNotification(method: unknown, params: unknown): OwnNotification | undefined {
  if (typeof method !== 'string' || !METHOD.test(method) || PROTOCOL_METHODS.has(method)) {
    return undefined;
  }
  if (params === undefined) return { method };
  const copy = copyAsJson(params);
  return copy === undefined ? undefined : { method, params: copy };
}

/** An in-process server can pass any value. */
function copyAsJson(params: unknown): JsonObject | undefined {
  try {
    const parsed = parseJson(JSON.stringify(params) ?? '', LIMITS);
    return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

export class OwnNotifications {
  readonly #clock: Clock;
  readonly #notifications = new Emitter<OwnNotification>(() => {});
  #second = 0;
  #countInSecond = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  on(listener: (notification: OwnNotification) => void): Disposable {
    return this.#notifications.on(listener);
  }

  receive(method: unknown, params: unknown): void {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) this.#countInSecond = 0;
    this.#second = second;
    this.#countInSecond += 1;
    if (this.#countInSecond > MAX_PER_SECOND) return;
    const notification = ownNotification(method, params);
    if (notification !== undefined) this.#notifications.emit(notification);
  }
}
