// Computes the vector of a text: the weighted mean of its tokens' rows in a table, scaled to length one. Each token
// counts once, with its own weight and a factor for its first place and its number of occurrences. There is no
// inference, so a text takes some microseconds. Documents and queries have different weights.

import { Tokens, wordsOf } from './tokens.ts';

export interface StaticModelSizes {
  /** Vectors of models with another id cannot be compared with those of this one. */
  readonly id: string;
  readonly dimensions: number;
  readonly documentTokens: number;
  readonly queryTokens: number;
  /** By place and number of occurrences. */
  readonly factors: Readonly<Record<Side, readonly number[]>>;
}

export interface StaticModelData {
  readonly vocabulary: readonly string[];
  /** A row of signed bytes for each token. */
  readonly table: Int8Array;
  /** Those of documents, then those of queries. They include the quantisation step of the row. */
  readonly weights: Float32Array;
}

type Side = 'document' | 'query';

/** Ranges of the first place of a token: before the 4th token, before the 8th, and so on. */
const PLACES = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128];
/** Numbers of occurrences that have their own factor; the last one stands for all higher numbers. */
const COUNTS = 8;
export const FACTORS = (PLACES.length + 1) * COUNTS;
const ABSENT = -1;
const LAST_PLACE = Math.max(...PLACES);
/** By first place: the index of the factor of a token that occurs once. */
const FACTOR_AT = Uint8Array.from(
  { length: LAST_PLACE + 1 },
  (_, at) => PLACES.filter((end) => at >= end).length * COUNTS,
);

export class StaticModel {
  readonly id: string;
  readonly dimensions: number;
  readonly #tokens: Tokens;
  readonly #table: Int8Array;
  readonly #sides: Readonly<Record<Side, WeightsOfSide>>;
  // Reused for each text: its distinct tokens, the factor of each, and the slot of each token in that list.
  readonly #rows: Int32Array;
  readonly #factors: Uint8Array;
  readonly #slots: Int32Array;

  /** The data has to match the sizes; `readStaticModel` checks that. */
  constructor(sizes: StaticModelSizes, { vocabulary, table, weights }: StaticModelData) {
    const rows = vocabulary.length;
    this.id = sizes.id;
    this.dimensions = sizes.dimensions;
    this.#tokens = new Tokens(vocabulary);
    this.#table = table;
    this.#sides = {
      document: {
        most: sizes.documentTokens,
        weights: weights.subarray(0, rows),
        factors: Float32Array.from(sizes.factors.document),
      },
      query: {
        most: sizes.queryTokens,
        weights: weights.subarray(rows),
        factors: Float32Array.from(sizes.factors.query),
      },
    };
    const most = Math.max(sizes.documentTokens, sizes.queryTokens);
    this.#rows = new Int32Array(most);
    this.#factors = new Uint8Array(most);
    this.#slots = new Int32Array(rows).fill(ABSENT);
  }

  /** All zero if no token of the text is known. */
  embedDocument(text: string): Float32Array {
    return this.#embed(text, this.#sides.document);
  }

  embedQuery(text: string): Float32Array {
    return this.#embed(text, this.#sides.query);
  }

  #embed(text: string, { most, weights, factors }: WeightsOfSide): Float32Array {
    const { dimensions } = this;
    const table = this.#table;
    const count = this.#read(text, most);
    const vector = new Float32Array(dimensions);
    for (let slot = 0; slot < count; slot += 1) {
      const row = this.#rows[slot] ?? 0;
      const weight = (weights[row] ?? 0) * (factors[this.#factors[slot] ?? 0] ?? 0);
      const from = row * dimensions;
      for (let at = 0; at < dimensions; at += 1)
        vector[at] = (vector[at] ?? 0) + weight * (table[from + at] ?? 0);
      this.#slots[row] = ABSENT;
    }
    return toUnitLength(vector);
  }

  /** Reads at most `most` tokens; returns the number of distinct ones. */
  #read(text: string, most: number): number {
    let place = 0;
    let count = 0;
    for (const word of wordsOf(text)) {
      for (const row of this.#tokens.of(word)) {
        if (place >= most) return count;
        const slot = this.#slots[row] ?? ABSENT;
        if (slot === ABSENT) {
          this.#slots[row] = count;
          this.#rows[count] = row;
          this.#factors[count] = FACTOR_AT[Math.min(place, LAST_PLACE)] ?? 0;
          count += 1;
        } else if ((this.#factors[slot] ?? 0) % COUNTS < COUNTS - 1) {
          this.#factors[slot] = (this.#factors[slot] ?? 0) + 1;
        }
        place += 1;
      }
    }
    return count;
  }
}

interface WeightsOfSide {
  readonly most: number;
  readonly weights: Float32Array;
  readonly factors: Float32Array;
}

function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return vector;
  const scale = 1 / Math.sqrt(square);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) * scale;
  return vector;
}
