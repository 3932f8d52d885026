// The secrets of a session: the values in its launch, and arguments of calls whose names sound like credentials. Those
// are recorded when they are sent; only the latest are remembered.

import { type Json, type JsonObject, soundsSecret } from '@plugboard/base';
import { type Conceal, createConceal } from './concealment.ts';

/** Shorter values occur in any text by chance. */
const SHORTEST = 6;
const MOST = 50;
/** How many objects of one call are searched, and how many fields of each. */
const MOST_VALUES = 200;

export class SessionSecrets {
  readonly #hideLaunch: Conceal | undefined;
  readonly #arguments = new Set<string>();
  #hideArguments: Conceal | undefined;

  constructor(launch: Conceal | undefined) {
    this.#hideLaunch = launch;
  }

  readonly hide: Conceal = (text) => {
    const hidden = this.#hideLaunch?.(text) ?? text;
    if (this.#arguments.size === 0) return hidden;
    this.#hideArguments ??= createConceal(new Map(), [...this.#arguments]);
    return this.#hideArguments(hidden);
  };

  learn(given: JsonObject): void {
    // An explicit stack, which stays empty for the plain values of most calls.
    const nested: (readonly [name: string, value: object])[] = [];
    this.#learnFields('', given, nested);
    for (let seen = 1; seen < MOST_VALUES; seen += 1) {
      const next = nested.pop();
      if (next === undefined) return;
      this.#learnFields(...next, nested);
    }
  }

  #learnFields(list: string, value: object, nested: (readonly [string, object])[]): void {
    let left = MOST_VALUES;
    for (const key of Object.keys(value)) {
      if (left === 0) return;
      left -= 1;
      const item = (value as Readonly<Record<string, Json>>)[key];
      // Items are judged by the name of their list.
      const name = Array.isArray(value) ? list : key;
      if (typeof item === 'string') this.#learnIf(name, item);
      else if (typeof item === 'object' && item !== null) nested.push([name, item]);
    }
  }

  #learnIf(key: string, value: string): void {
    if (value.length < SHORTEST || this.#arguments.has(value) || !soundsSecret(key)) return;
    const [oldest] = this.#arguments;
    if (this.#arguments.size >= MOST && oldest !== undefined) this.#arguments.delete(oldest);
    this.#arguments.add(value);
    this.#hideArguments = undefined;
  }
}
