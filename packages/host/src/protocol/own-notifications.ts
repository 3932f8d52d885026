// Notifications whose methods are not part of the protocol: what an editor reports about its files and selection, and
// what a program and its own server agreed on. Those from a server are hostile: bounded in size, depth and number, and
// passed on as plain data.

import { type Clock, Emitter, isObject, type JsonObject, parseJson } from '@plugboard/base';
import type { OwnNotification } from './neutral/session.ts';

/** Of the method and the parameters together, in characters. */
const LIMITS = { maxLength: 256 * 1024, maxDepth: 32 };
const METHOD = /^[\x21-\x7e]{1,128}$/;

/** How many are accepted per second; the others are dropped. */
const MOST_IN_SECOND = 100;

/** Those of all revisions, and of their extensions. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  [
    'cancelled',
    'initialized',
    'message',
    'progress',
    'elicitation/complete',
    'prompts/list_changed',
    'resources/list_changed',
    'resources/updated',
    'roots/list_changed',
    'subscriptions/acknowledged',
    'tasks',
    'tasks/status',
    'tools/list_changed',
  ].map((name) => `notifications/${name}`),
);

/** The notification as plain data, or nothing where it is one of the protocol's, no notification, or too large. */
export function ownNotification(method: unknown, params: unknown): OwnNotification | undefined {
  if (typeof method !== 'string' || !METHOD.test(method) || OF_PROTOCOL.has(method)) {
    return undefined;
  }
  if (params === undefined) return { method };
  const plain = plainOf(params);
  return plain === undefined ? undefined : { method, params: plain };
}

/** One of this very process may hand over anything. */
function plainOf(params: unknown): JsonObject | undefined {
  try {
    const parsed = parseJson(JSON.stringify(params) ?? '', LIMITS);
    return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

export class OwnNotifications {
  readonly #clock: Clock;
  readonly #heard = new Emitter<OwnNotification>(() => {});
  #second = 0;
  #inSecond = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  on(listener: (notification: OwnNotification) => void): Disposable {
    return this.#heard.on(listener);
  }

  hear(method: unknown, params: unknown): void {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) this.#inSecond = 0;
    this.#second = second;
    this.#inSecond += 1;
    if (this.#inSecond > MOST_IN_SECOND) return;
    const notification = ownNotification(method, params);
    if (notification !== undefined) this.#heard.emit(notification);
  }
}
