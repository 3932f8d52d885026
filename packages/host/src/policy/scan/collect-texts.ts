// Collects every text of a definition that a model reads, with its place: descriptions, titles, names, defaults, enums
// and everything else in a schema, keys as well as values. Bounded; reports where it stopped. Pure.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './finding.ts';

export interface FoundText {
  readonly path: FieldPath;
  readonly text: string;
}

export interface FoundTexts {
  readonly texts: readonly FoundText[];
  /** Where the bounds stopped it, if they did. */
  readonly stoppedAt: FieldPath | undefined;
}

const MAX_TEXTS = 20_000;
const MAX_DEPTH = 200;

export function collectTexts(value: unknown): FoundTexts {
  const found = new TextCollector();
  found.collect(value);
  return found;
}

class TextCollector implements FoundTexts {
  readonly texts: FoundText[] = [];
  stoppedAt: FieldPath | undefined;
  /** The current path, copied only for a text. */
  readonly #path: (string | number)[] = [];

  collect(value: unknown): void {
    if (this.texts.length >= MAX_TEXTS || this.#path.length > MAX_DEPTH) {
      this.stoppedAt ??= [...this.#path];
    } else if (typeof value === 'string') {
      this.#take(value);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#below(index, item);
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) this.#below(key, item);
    }
  }

  #below(key: string | number, value: unknown): void {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) {
      if (typeof key === 'number' || PLAIN_KEY.test(key)) return;
    }
    this.#path.push(key);
    if (typeof key === 'string' && !PLAIN_KEY.test(key)) this.#take(key);
    this.collect(value);
    this.#path.pop();
  }

  #take(text: string): void {
    if (!SHORT_WORD.test(text)) this.texts.push({ path: [...this.#path], text });
  }
}

/** Too short to contain an instruction or hidden text. */
const SHORT_WORD = /^[\w$.:/-]{0,20}$/;
/** A key of one or two words, which is not scanned. */
const PLAIN_KEY = /^[\w$.-]{0,40}$/;
