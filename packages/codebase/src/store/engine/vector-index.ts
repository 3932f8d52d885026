// Finds the vectors nearest to a query. The signs of all vectors are compared first, which takes a few operations each; only
// the nearest by signs are compared exactly. Signs are in memory, and the caller supplies the vectors. A vector is
// identified by its slot; the caller maps slots to chunks.

import { BestFew, type KeyOrder } from './best-few.ts';
import { packedLength, packedNorm, packVector, productTable, writeSigns } from './packed-vector.ts';

export interface NearVector {
  /** The index in the list of slots. */
  readonly index: number;
  readonly similarity: number;
}

/** Slots are allocated in blocks, so that growing copies nothing. */
const BLOCK_SLOTS = 4096;
/** How many vectors are compared exactly for each requested one, and at least. */
const COMPARED_PER_RESULT = 10;
const FEWEST_COMPARED = 400;

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

  /** `packedOf` returns the vector of a slot, which is valid until the next call. */
  constructor(dimensions: number, packedOf: (slot: number) => Uint8Array) {
    this.dimensions = dimensions;
    this.#packedOf = packedOf;
    this.#bytes = packedLength(dimensions);
    this.#words = Math.ceil(dimensions / 32);
  }

  /** The number of slots in use. */
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
   * The slots nearest to `query`, which has length one. A slot may occur twice; `isBefore` decides which of two indexes in
   * the list comes first if both are equally near.
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
      Math.max(FEWEST_COMPARED, limit * COMPARED_PER_RESULT),
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
