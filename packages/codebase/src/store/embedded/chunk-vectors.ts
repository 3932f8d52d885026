// The vectors of one embedder, by signature, and the chunks that have them. A vector that no chunk has any more is
// kept for a while: the branch that it came from may come back.

import { hashOfKey, signatureBytes, signatureKey } from '../port/file-record.ts';
import { inEmbeddingOrder } from '../port/embedding-order.ts';
import type { MissingVector } from '../port/store.ts';
import { packedLength } from '../engine/packed-vector.ts';
import { VectorIndex } from '../engine/vector-index.ts';
import type { IndexDatabase } from './index-database.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';
import { SignedSlots } from './signed-slots.ts';
import { type SignedVector, unpackBlock } from './vector-block.ts';

/** Vectors without a chunk, for each with one, and at least. */
const UNUSED_SHARE = 0.25;
const FEWEST_UNUSED = 4096;

export class ChunkVectors {
  readonly embedderId: string;
  readonly index: VectorIndex;
  /** The number of the embedder on the disk; 0 where nothing was written yet. */
  row: number;
  readonly #files: KnownFiles;
  readonly #kept = new SignedSlots();
  /** Slots without a chunk, the longest without one first. */
  readonly #unused = new Set<number>();
  /** Files with a chunk that has no vector. */
  readonly #waiting = new Set<KnownFile>();
  #lastRow = 0;
  #covered = 0;
  #missing: { readonly list: readonly MissingVector[]; from: number } | undefined;
  #all: ChunkSlots | undefined;

  constructor(options: {
    readonly embedderId: string;
    readonly dimensions: number;
    readonly row: number;
    readonly files: KnownFiles;
  }) {
    this.embedderId = options.embedderId;
    this.index = new VectorIndex(options.dimensions);
    this.row = options.row;
    this.#files = options.files;
    for (const file of options.files.all()) {
      file.slots.fill(-1);
      if (file.slots.length > 0) this.#waiting.add(file);
    }
  }

  /** Chunks that have a vector. */
  get covered(): number {
    return this.#covered;
  }

  /** What another process, or an earlier one, left on the disk. */
  follow(database: IndexDatabase): void {
    if (this.row === 0) return;
    const bytes = packedLength(this.index.dimensions);
    for (;;) {
      const blocks = database.blocksAfter(this.row, this.#lastRow);
      for (const { id, bytes: block } of blocks) this.#take(unpackBlock(block, bytes), id);
      if (blocks.length === 0) break;
    }
    this.#giveAll();
  }

  /** One block, as it was written under the number `row`; 0 where it was not. */
  add(block: readonly SignedVector[], row: number): void {
    this.#take(block, row);
    this.#giveAll();
  }

  #take(block: readonly SignedVector[], row: number): void {
    this.#lastRow = Math.max(this.#lastRow, row);
    for (const { hash, packed } of block) {
      const known = this.#kept.find(hash);
      if (known !== undefined) {
        this.#kept.setRow(known, row);
        continue;
      }
      const slot = this.index.add(packed);
      this.#kept.add(slot, hash, row);
      this.#unused.add(slot);
    }
  }

  #giveAll(): void {
    for (const file of this.#waiting) this.#give(file);
    this.#all = undefined;
  }

  has(signatureHash: string): boolean {
    return this.#kept.find(signatureBytes(signatureHash)) !== undefined;
  }

  fileAdded(file: KnownFile): void {
    this.#give(file);
    this.#changed();
  }

  fileRemoved(file: KnownFile): void {
    this.#waiting.delete(file);
    for (const slot of file.slots) {
      if (slot < 0) continue;
      this.#covered -= 1;
      if (this.#kept.count(slot, -1) === 0) this.#unused.add(slot);
    }
    this.#changed();
  }

  /** Forgets those that have been without a chunk for longest. */
  forgetUnused(): ForgottenBlocks {
    const most = Math.max(FEWEST_UNUSED, (this.#kept.size - this.#unused.size) * UNUSED_SHARE);
    const rows = new Set<number>();
    for (const slot of this.#unused) {
      if (this.#unused.size <= most) break;
      const row = this.#kept.rowOf(slot);
      this.#unused.delete(slot);
      this.#kept.delete(slot);
      this.index.remove(slot);
      if (row > 0) rows.add(row);
    }
    if (rows.size === 0) return { rows: [], left: [] };
    const left = [...this.#kept.slots()].filter((slot) => rows.has(this.#kept.rowOf(slot)));
    return {
      rows: [...rows],
      left: left.map((slot) => ({
        hash: this.#kept.signatureOf(slot),
        packed: this.index.packedOf(slot),
      })),
    };
  }

  missing(limit: number): readonly MissingVector[] {
    this.#missing ??= { list: this.#findMissing(), from: 0 };
    const { list } = this.#missing;
    const found: MissingVector[] = [];
    for (let at = this.#missing.from; at < list.length && found.length < limit; at += 1) {
      const one = list[at];
      if (one === undefined) continue;
      if (!this.has(one.signatureHash)) found.push(one);
      // They are asked for in order, so what was passed once is not looked at again.
      else if (found.length === 0) this.#missing.from = at + 1;
    }
    return found;
  }

  /** The slots of all chunks that have one, and which chunk each is. */
  slots(accepts: ((file: KnownFile) => boolean) | undefined): ChunkSlots {
    if (accepts === undefined && this.#all !== undefined) return this.#all;
    const files = [...this.#files.all()].filter((file) => accepts?.(file) !== false);
    const most = files.reduce((sum, file) => sum + file.slots.length, 0);
    const slots = new Int32Array(most);
    const fileOf = new Int32Array(most);
    const chunks = new Int32Array(most);
    let size = 0;
    for (const [number, file] of files.entries()) {
      for (const [chunk, slot] of file.slots.entries()) {
        if (slot < 0) continue;
        slots[size] = slot;
        fileOf[size] = number;
        chunks[size] = chunk;
        size += 1;
      }
    }
    const found: ChunkSlots = {
      slots: slots.subarray(0, size),
      at: (index) => ({ file: files[fileOf[index] ?? -1], chunk: chunks[index] ?? 0 }),
    };
    if (accepts === undefined) this.#all = found;
    return found;
  }

  #give(file: KnownFile): void {
    let missing = 0;
    for (const [number, slot] of file.slots.entries()) {
      if (slot >= 0) continue;
      const kept = this.#kept.find(file.signatures, number);
      if (kept === undefined) {
        missing += 1;
        continue;
      }
      file.slots[number] = kept;
      this.#kept.count(kept, 1);
      this.#covered += 1;
      this.#unused.delete(kept);
    }
    if (missing === 0) this.#waiting.delete(file);
    else this.#waiting.add(file);
  }

  #findMissing(): readonly MissingVector[] {
    const found: MissingVector[] = [];
    const seen = new Set<string>();
    for (const { path, slots, signatures } of inEmbeddingOrder([...this.#waiting])) {
      for (const [number, slot] of slots.entries()) {
        if (slot >= 0) continue;
        const key = signatureKey(signatures, number);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({ signatureHash: hashOfKey(key), path });
      }
    }
    return found;
  }

  #changed(): void {
    this.#missing = undefined;
    this.#all = undefined;
  }
}

/** Blocks that go from the disk, and those of their vectors that have to be written again. */
export interface ForgottenBlocks {
  readonly rows: readonly number[];
  readonly left: readonly SignedVector[];
}

export interface ChunkSlots {
  readonly slots: Int32Array;
  /** The chunk that the slot at an index of `slots` is of. */
  readonly at: (index: number) => { readonly file: KnownFile | undefined; readonly chunk: number };
}
