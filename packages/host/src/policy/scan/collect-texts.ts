// Every text of a definition that a model gets to read, with its place: descriptions, titles, names,
// defaults, enums and whatever else a schema holds, keys as well as values. Bounded; it says so where
// something lies beyond the bounds. Pure.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './finding.ts';

export interface FoundText {
  readonly path: FieldPath;
  readonly text: string;
}

export interface FoundTexts {
  readonly texts: readonly FoundText[];
  /** Where it stopped, if it did. */
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
  /** Copied only where there is a text. */
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

/** Nothing can be said in it, and nothing hidden. */
const SHORT_WORD = /^[\w$.:/-]{0,20}$/;
/** A word or two. */
const PLAIN_KEY = /^[\w$.-]{0,40}$/;
