// Splits a text into the numbers of its tokens: identifiers into words, and a word that is not in the vocabulary into
// the longest pieces that are. The table was trained with these rules, so a change of a rule requires another table.

import { wordsIn } from '@plugboard/base';

const NOT_ASCII = /[^\0-\x7F]/;
const MARKS = /\p{M}/gu;
/** The prefix of a piece that continues a word. */
const CONTINUES = '##';
const LONGEST_WORD = 40;
const MOST_CHARACTERS = 16_384;
const MOST_REMEMBERED = 20_000;

export class Tokens {
  readonly #starts = new Map<string, number>();
  readonly #continuations = new Map<string, number>();
  /** Caches words, since texts repeat them and an unknown word takes many lookups. */
  readonly #remembered = new Map<string, readonly number[]>();

  constructor(vocabulary: readonly string[]) {
    vocabulary.forEach((token, number) => {
      if (token.startsWith(CONTINUES)) {
        this.#continuations.set(token.slice(CONTINUES.length), number);
      } else {
        this.#starts.set(token, number);
      }
    });
  }

  /** The numbers of a word's pieces, without characters that the vocabulary lacks. */
  of(word: string): readonly number[] {
    return this.#piecesOf(word.toLowerCase());
  }

  #piecesOf(word: string): readonly number[] {
    const known = this.#remembered.get(word);
    if (known !== undefined) return known;
    const pieces = this.#split(word.slice(0, LONGEST_WORD));
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(word, pieces);
    return pieces;
  }

  #split(word: string): readonly number[] {
    const pieces: number[] = [];
    let at = 0;
    while (at < word.length) {
      const found = longestPiece(word, at, at === 0 ? this.#starts : this.#continuations);
      if (found !== undefined) pieces.push(found.number);
      at = found?.end ?? at + 1;
    }
    return pieces;
  }
}

function longestPiece(
  word: string,
  from: number,
  pieces: ReadonlyMap<string, number>,
): { readonly number: number; readonly end: number } | undefined {
  for (let end = word.length; end > from; end -= 1) {
    const number = pieces.get(word.slice(from, end));
    if (number !== undefined) return { number, end };
  }
  return undefined;
}

/** The words of a text in order, with repetitions. */
export function wordsOf(whole: string): readonly string[] {
  const text = whole.slice(0, MOST_CHARACTERS);
  return wordsIn(NOT_ASCII.test(text) ? text.normalize('NFKD').replaceAll(MARKS, '') : text);
}
