// How much of an answer fits: characters for a number of tokens, and what is left of them. A token is about four
// characters of code in the encodings of current models; a little less is assumed.

import { z } from 'zod';

const CHARACTERS_PER_TOKEN = 3.6;

/** The argument of every tool whose answers grow with what there is. */
export function maxTokens(usual: number) {
  return z.int().min(100).max(50_000).default(usual).describe('How long the answer may be');
}

export class TextBudget {
  #left: number;

  constructor(tokens: number) {
    this.#left = Math.floor(tokens * CHARACTERS_PER_TOKEN);
  }

  /** Whether there is room for it; if so the room is taken. */
  take(text: string): boolean {
    if (text.length + 1 > this.#left) return false;
    this.#left -= text.length + 1;
    return true;
  }
}
