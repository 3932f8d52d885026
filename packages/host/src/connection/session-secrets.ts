// Everything that a session must keep secret: the values in its launch, and arguments of calls whose names sound like
// credentials. Those are learnt as they are sent; only the latest ones are remembered.

import { type Json, type JsonObject, soundsSecret } from '@plugboard/base';
import { type Conceal, concealing } from './concealment.ts';

/** Shorter ones stand in every text by chance. */
const SHORTEST = 6;
const MOST = 50;
/** Objects of one call that are looked at, and fields of each. */
const MOST_VALUES = 200;

export class SessionSecrets {
  readonly #launch: Conceal | undefined;
  readonly #learnt = new Set<string>();
  #given: Conceal | undefined;

  constructor(launch: Conceal | undefined) {
    this.#launch = launch;
  }

  readonly hide: Conceal = (text) => {
    const hidden = this.#launch?.(text) ?? text;
    if (this.#learnt.size === 0) return hidden;
    this.#given ??= concealing(new Map(), [...this.#learnt]);
    return this.#given(hidden);
  };

  learn(given: JsonObject): void {
    // Nearly all calls have a few plain values, and are not to wait for this.
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
      // Items are called as their list is.
      const name = Array.isArray(value) ? list : key;
      if (typeof item === 'string') this.#learnIf(name, item);
      else if (typeof item === 'object' && item !== null) nested.push([name, item]);
    }
  }

  #learnIf(key: string, value: string): void {
    if (value.length < SHORTEST || this.#learnt.has(value) || !soundsSecret(key)) return;
    const [oldest] = this.#learnt;
    if (this.#learnt.size >= MOST && oldest !== undefined) this.#learnt.delete(oldest);
    this.#learnt.add(value);
    this.#given = undefined;
  }
}
