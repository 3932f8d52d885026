// Shortens a structured value by its structure: long lists end early, long texts are cut, and keys are kept if
// there is room. The result is a valid value that states in its own texts what is missing. Pure.

import { cutPoint, isObject, type Json } from '@plugboard/base';
import { jsonLength } from './json-length.ts';

interface Detail {
  readonly items: number;
  readonly keys: number;
  readonly characters: number;
  readonly depth: number;
}

const FULL: Detail = { items: 4096, keys: 4096, characters: 65_536, depth: 64 };
const STEP = 0.75;

/** Never longer than `most` as indented JSON (at least 4); a value that fits is returned unchanged. */
export function shortenValue(value: Json, most: number): Json {
  if (jsonLength(value, most) <= most) return value;
  for (let detail = FULL; detail.items >= 1; detail = lessThan(detail)) {
    const shortened = new Clipper(detail, most).clip(value, 0);
    if (shortened !== undefined && jsonLength(shortened, most) <= most) return shortened;
  }
  const words = wordsFor(value);
  return jsonLength(words, most) <= most ? words : null;
}

/** Reduces lists and texts first, then depth, and keys last. */
function lessThan({ items, keys, characters, depth }: Detail): Detail {
  const fewer = items === 1 ? 0 : Math.max(1, Math.floor(items * STEP));
  return {
    items: fewer,
    keys: fewer <= 8 ? Math.max(2, Math.floor(keys * 0.4)) : keys,
    characters: Math.max(16, Math.floor(characters * STEP)),
    depth: fewer <= 8 ? Math.max(1, Math.floor(depth * STEP)) : depth,
  };
}

/** One attempt with this detail, stopped as soon as the result is too long. */
class Clipper {
  readonly #detail: Detail;
  #left: number;

  constructor(detail: Detail, most: number) {
    this.#detail = detail;
    this.#left = most;
  }

  /** `undefined` if it became too long. */
  clip(value: Json, depth: number): Json | undefined {
    if (typeof value === 'string') return this.#spend(this.#text(value));
    if (typeof value !== 'object' || value === null) return this.#spend(value);
    if (depth >= this.#detail.depth) return this.#spend(wordsFor(value));
    return isObject(value) ? this.#object(value, depth) : this.#list(value, depth);
  }

  #spend(value: string | number | boolean | null): Json | undefined {
    this.#left -= typeof value === 'string' ? value.length + 2 : 1;
    return this.#left < 0 ? undefined : value;
  }

  #text(text: string): string {
    const { characters } = this.#detail;
    if (text.length <= characters) return text;
    const head = text.slice(0, cutPoint(text, characters));
    return `${head}… ${text.length - head.length} more characters`;
  }

  #list(list: readonly Json[], depth: number): Json | undefined {
    const kept: Json[] = [];
    for (const item of list.slice(0, this.#detail.items)) {
      const clipped = this.clip(item, depth + 1);
      if (clipped === undefined) return undefined;
      kept.push(clipped);
    }
    const more = list.length - kept.length;
    return more === 0 ? kept : [...kept, `… ${more} more items`];
  }

  #object(object: Readonly<Record<string, Json>>, depth: number): Json | undefined {
    const keys = Object.keys(object);
    const kept: [string, Json][] = [];
    for (const key of keys.slice(0, this.#detail.keys)) {
      if (this.#spend(key) === undefined) return undefined;
      const clipped = this.clip(object[key] ?? null, depth + 1);
      if (clipped === undefined) return undefined;
      kept.push([key, clipped]);
    }
    const more = keys.length - kept.length;
    // From entries, so that `__proto__` is an ordinary key.
    return Object.fromEntries(more === 0 ? kept : [...kept, ['…', `${more} more keys`]]);
  }
}

function wordsFor(value: Json): string {
  if (Array.isArray(value)) return `… a list of ${value.length} items`;
  if (isObject(value)) return `… an object with ${Object.keys(value).length} keys`;
  return `… a text of ${JSON.stringify(value).length} characters`;
}
