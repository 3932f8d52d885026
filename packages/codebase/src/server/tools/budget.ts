// Limits the length of an answer to a number of tokens. A token is about four characters of code in the encodings of current
// models; this assumes a little less.

import { z } from 'zod';

const CHARACTERS_PER_TOKEN = 3.6;

/** The argument of every tool whose answers can be long. */
export function maxTokens(usual: number) {
  return z.int().min(100).max(50_000).default(usual).describe('How long the answer may be');
}

export class TextBudget {
  #left: number;

  constructor(tokens: number) {
    this.#left = Math.floor(tokens * CHARACTERS_PER_TOKEN);
  }

  /** Takes the room for a text, and returns whether there was enough. */
  take(text: string): boolean {
    if (text.length + 1 > this.#left) return false;
    this.#left -= text.length + 1;
    return true;
  }
}
