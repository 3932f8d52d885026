// WordPiece: a word is the longest pieces of the vocabulary from left to right, or unknown as a whole. Gives the
// ids that Hugging Face's tokenizers give for the same `tokenizer.json`, and does a bounded amount of work for any
// text.

import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { bertWords } from './bert-words.ts';

export interface Tokenizer {
  /** The ids of a text with those of its start and end, at most `maxTokens` in all. */
  encode(text: string, maxTokens: number): Int32Array;
}

interface Vocabulary {
  /** Pieces that a word begins with. */
  readonly heads: ReadonlyMap<string, number>;
  /** Pieces that a word goes on with, without the `##`. */
  readonly tails: ReadonlyMap<string, number>;
  readonly longest: number;
  readonly start: number;
  readonly end: number;
  readonly unknown: number;
  /** Special tokens, which count also where they are written in a text. */
  readonly special: ReadonlyMap<string, number>;
}

/** More than any number of tokens that a model takes can come from; the rest is never looked at. */
const MOST_CHARACTERS = 16_384;
/** In code points. A longer word is unknown. */
const LONGEST_WORD = 100;
/** Words repeat a lot in code. */
const MOST_REMEMBERED = 20_000;
const JSON_LIMITS = { maxLength: 8_000_000, maxDepth: 32 };
const CONTINUES = '##';

/** Reads a `tokenizer.json`. The error says what is wrong with it. */
export function readTokenizer(json: string): Result<Tokenizer, string> {
  const parsed = parseJson(json, JSON_LIMITS);
  if (!parsed.ok) return err(`it is not JSON that can be read (${parsed.error.kind})`);
  const vocabulary = vocabularyOf(parsed.value);
  return typeof vocabulary === 'string' ? err(vocabulary) : ok(new WordPiece(vocabulary));
}

function vocabularyOf(file: unknown): Vocabulary | string {
  const model = isObject(file) ? file['model'] : undefined;
  if (!isObject(model) || model['type'] !== 'WordPiece' || !isObject(model['vocab'])) {
    return 'it holds no WordPiece model';
  }
  const heads = new Map<string, number>();
  const tails = new Map<string, number>();
  let longest = 0;
  for (const [piece, id] of Object.entries(model['vocab'])) {
    if (typeof id !== 'number') return 'its vocabulary has an id that is no number';
    const isTail = piece.startsWith(CONTINUES) && piece !== CONTINUES;
    const text = isTail ? piece.slice(CONTINUES.length) : piece;
    (isTail ? tails : heads).set(text, id);
    longest = Math.max(longest, text.length);
  }
  const [start, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((name) => heads.get(name));
  if (start === undefined || end === undefined || unknown === undefined) {
    return 'its vocabulary lacks [CLS], [SEP] or [UNK]';
  }
  const names = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const special = new Map(names.map((name) => [name, heads.get(name) ?? unknown]));
  return { heads, tails, longest, start, end, unknown, special };
}

class WordPiece implements Tokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #remembered = new Map<string, readonly number[]>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  encode(text: string, maxTokens: number): Int32Array {
    const { start, end } = this.#vocabulary;
    const ids = [start];
    this.#append(ids, text.slice(0, MOST_CHARACTERS), maxTokens - 1);
    ids.push(end);
    return Int32Array.from(ids);
  }

  #append(ids: number[], text: string, most: number): void {
    for (const part of text.split(/(\[(?:PAD|UNK|CLS|SEP|MASK)\])/)) {
      const special = this.#vocabulary.special.get(part);
      if (special !== undefined && ids.length < most) ids.push(special);
      if (special !== undefined) continue;
      for (const word of bertWords(part)) {
        for (const id of this.#piecesOf(word)) {
          if (ids.length >= most) return;
          ids.push(id);
        }
      }
    }
  }

  #piecesOf(word: string): readonly number[] {
    const known = this.#remembered.get(word);
    if (known !== undefined) return known;
    const pieces = this.#takeApart(word);
    if (word.length > LONGEST_WORD) return pieces;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(word, pieces);
    return pieces;
  }

  #takeApart(word: string): readonly number[] {
    const { heads, tails, longest, unknown } = this.#vocabulary;
    if (isLonger(word, LONGEST_WORD)) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < word.length;) {
      const pieces = from === 0 ? heads : tails;
      let to = Math.min(word.length, from + longest);
      let id = pieces.get(word.slice(from, to));
      while (id === undefined && to > from + 1) {
        to -= 1;
        id = pieces.get(word.slice(from, to));
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to;
    }
    return ids;
  }
}

/** Whether it has more than `limit` code points. */
function isLonger(word: string, limit: number): boolean {
  if (word.length <= limit) return false;
  // Two units make at most one code point out of two.
  return word.length > 2 * limit || Array.from(word).length > limit;
}
