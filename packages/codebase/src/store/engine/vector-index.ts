// Finds the vectors that point where a query points. The signs of all are compared first, which is a few operations
// for each, and only the nearest by them are looked at closely: so the signs are in memory, and the vectors are where the
// caller has them. Vectors are known by their slot; which chunk has which is the caller's business.

import { BestFew, type KeyOrder } from './best-few.ts';
import { packedLength, packedNorm, packVector, productTable, writeSigns } from './packed-vector.ts';

export interface NearVector {
  /** The place in the list of slots that was asked about. */
  readonly index: number;
  readonly similarity: number;
}

/** Slots whose bytes lie together, so that growing copies nothing. */
const BLOCK_SLOTS = 4096;
/** How many are looked at closely, for each that is wanted, and at least. */
const CLOSE_LOOKS = 10;
const FEWEST_CLOSE_LOOKS = 400;

interface Block {
  readonly signs: Uint32Array;
  readonly norms: Float32Array;
}

export class VectorIndex {
  readonly dimensions: number;
  readonly #bytes: number;
  readonly #words: number;
  readonly #blocks: Block[] = [];
  readonly #free: number[] = [];
  readonly #packedOf: (slot: number) => Uint8Array;
  #size = 0;

  /** `packedOf` answers what was added as a slot, good until it is asked again. */
  constructor(dimensions: number, packedOf: (slot: number) => Uint8Array) {
    this.dimensions = dimensions;
    this.#packedOf = packedOf;
    this.#bytes = packedLength(dimensions);
    this.#words = Math.ceil(dimensions / 32);
  }

  /** Slots in use. */
  get size(): number {
    return this.#size - this.#free.length;
  }

  add(packed: Uint8Array): number {
    const slot = this.#free.pop() ?? this.#grow();
    const { signs, norms } = this.#blockOf(slot);
    const at = slot % BLOCK_SLOTS;
    writeSigns(packed, signs, at * this.#words);
    norms[at] = packedNorm(packed, this.dimensions);
    return slot;
  }

  remove(slot: number): void {
    this.#free.push(slot);
  }

  /**
   * Of the slots given, those nearest to `query`, which has length one. A slot may be named twice; `isBefore` says of two places in
   * the list which comes first where both are as near.
   */
  nearest(
    query: Float32Array,
    slots: Int32Array,
    { limit, isBefore }: { readonly limit: number; readonly isBefore?: KeyOrder },
  ): readonly NearVector[] {
    if (query.length !== this.dimensions) return [];
    const close = this.#closeBySigns(
      query,
      slots,
      Math.max(FEWEST_CLOSE_LOOKS, limit * CLOSE_LOOKS),
    );
    const table = productTable(query);
    const best = new BestFew(limit, isBefore);
    for (const index of close) best.offer(index, this.#similarity(table, slots[index] ?? 0));
    return best.sorted().map(({ key, score }) => ({ index: key, similarity: score }));
  }

  #similarity(table: Float32Array, slot: number): number {
    const { norms } = this.#blockOf(slot);
    const packed = this.#packedOf(slot);
    let sum = 0;
    for (let place = 0; place < this.#bytes; place += 1) {
      sum += table[place * 256 + (packed[place] ?? 0)] ?? 0;
    }
    const norm = norms[slot % BLOCK_SLOTS] ?? 0;
    return norm === 0 ? 0 : Math.max(-1, Math.min(1, sum / norm));
  }

  #closeBySigns(query: Float32Array, slots: Int32Array, wanted: number): readonly number[] {
    const distances = new Uint16Array(slots.length);
    const histogram = new Uint32Array(this.dimensions + 1);
    const signs = new Uint32Array(this.#words);
    writeSigns(packVector(query), signs, 0);
    for (let index = 0; index < slots.length; index += 1) {
      const distance = this.#distance(signs, slots[index] ?? 0);
      distances[index] = distance;
      histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
    let farthest = 0;
    for (let seen = 0; farthest <= this.dimensions; farthest += 1) {
      seen += histogram[farthest] ?? 0;
      if (seen >= wanted) break;
    }
    const close: number[] = [];
    for (let index = 0; index < distances.length; index += 1) {
      if ((distances[index] ?? 0) <= farthest) close.push(index);
    }
    return close;
  }

  #distance(query: Uint32Array, slot: number): number {
    const { signs } = this.#blockOf(slot);
    const from = (slot % BLOCK_SLOTS) * this.#words;
    let distance = 0;
    for (let word = 0; word < this.#words; word += 1) {
      distance += bitsIn((query[word] ?? 0) ^ (signs[from + word] ?? 0));
    }
    return distance;
  }

  #grow(): number {
    if (this.#size === this.#blocks.length * BLOCK_SLOTS) {
      this.#blocks.push({
        signs: new Uint32Array(BLOCK_SLOTS * this.#words),
        norms: new Float32Array(BLOCK_SLOTS),
      });
    }
    this.#size += 1;
    return this.#size - 1;
  }

  #blockOf(slot: number): Block {
    const block = this.#blocks[Math.floor(slot / BLOCK_SLOTS)];
    if (block === undefined) throw new RangeError(`no slot ${slot}`);
    return block;
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
