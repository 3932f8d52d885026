// The vectors of one embedder by signature, and the chunks that have them. Vectors stay on the disk if it can be written. A
// vector that no chunk has any more is kept for a while, since its branch may be checked out again.

import { hashOfKey, signatureBytes, signatureKey } from '../port/file-record.ts';
import { inEmbeddingOrder } from '../port/embedding-order.ts';
import type { MissingVector } from '../port/store.ts';
import { packedLength } from '../engine/packed-vector.ts';
import { VectorIndex } from '../engine/vector-index.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';
import { SignedSlots } from './signed-slots.ts';
import type { SignedVector, VectorFile } from './vector-file.ts';

/** The most unused vectors: a share of the used ones, but at least this many. */
const UNUSED_SHARE = 0.25;
const FEWEST_UNUSED = 4096;
/** The place of a vector that is not on the disk. */
const NOWHERE = -1;
/** How many vectors are moved at a time. */
const MOVED = 4096;

export class ChunkVectors implements Disposable {
  readonly embedderId: string;
  readonly index: VectorIndex;
  /** The row of the embedder in the database; 0 if nothing was written yet. */
  row: number;
  /** The vectors on the disk, if there are any. */
  #file: VectorFile | undefined;
  /** Vectors that are not on the disk, by slot. */
  readonly #unwritten = new Map<number, Uint8Array>();
  readonly #files: KnownFiles;
  readonly #kept = new SignedSlots();
  /** Slots without a chunk, the longest unused first. */
  readonly #unused = new Set<number>();
  /** Files with a chunk that has no vector. */
  readonly #waiting = new Set<KnownFile>();
  /** How many vectors are on the disk. */
  #places = 0;
  #covered = 0;
  #missing: { readonly list: readonly MissingVector[]; from: number } | undefined;
  #allSlots: ChunkSlots | undefined;

  constructor(options: {
    readonly embedderId: string;
    readonly dimensions: number;
    readonly row: number;
    readonly files: KnownFiles;
    readonly file: VectorFile | undefined;
  }) {
    this.embedderId = options.embedderId;
    this.#file = options.file;
    this.index = new VectorIndex(options.dimensions, (slot) => this.#packedOf(slot));
    this.row = options.row;
    this.#files = options.files;
    for (const file of options.files.all()) {
      options.files.slotsOf(file).fill(NOWHERE);
      if (file.chunks > 0) this.#waiting.add(file);
    }
  }

  /** How many chunks have a vector. */
  get covered(): number {
    return this.#covered;
  }

  /** Takes the vectors that another process wrote, up to `count` on the disk. Throws if there are fewer. */
  follow(count: number): void {
    if (count <= this.#places) return;
    this.#file?.forEach(this.#places, count, (vector, place) => this.#take(vector, place));
    this.#places = count;
    this.#assignAll();
    this.forgetUnused();
  }

  /** Writes `vectors` to the disk, and returns the new count. They become valid when the database stores it. */
  write(vectors: readonly SignedVector[]): number {
    this.#file?.write(vectors, this.#places);
    return this.#places + vectors.length;
  }

  /** Adds vectors that were just written, or that cannot be written. */
  add(vectors: readonly SignedVector[], where: 'on-disk' | 'in-memory'): void {
    for (const vector of vectors) {
      this.#take(vector, where === 'on-disk' ? this.#places : NOWHERE);
      if (where === 'on-disk') this.#places += 1;
    }
    this.#assignAll();
  }

  /** Whether forgotten vectors take more of the disk than the others. */
  get isWasteful(): boolean {
    return this.#places > Math.max(FEWEST_UNUSED, this.#kept.size) * 2;
  }

  /** Copies all vectors to another file, some at a time, and uses that file from then on. Returns their number. */
  moveTo(file: VectorFile, row: number): number {
    const slots = [...this.#kept.slots()];
    for (let from = 0; from < slots.length; from += MOVED) {
      const some = slots.slice(from, from + MOVED).map((slot) => ({
        hash: this.#kept.signatureOf(slot),
        packed: this.#packedOf(slot).slice(),
      }));
      file.write(some, from);
    }
    for (const [place, slot] of slots.entries()) this.#kept.setPlace(slot, place);
    this.#unwritten.clear();
    this.#file?.[Symbol.dispose]();
    this.#file = file;
    this.row = row;
    this.#places = slots.length;
    return slots.length;
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]();
  }

  #take({ hash, packed }: SignedVector, place: number): void {
    const known = this.#kept.find(hash);
    if (known !== undefined) {
      if (place !== NOWHERE) this.#kept.setPlace(known, place);
      return;
    }
    const slot = this.index.add(packed);
    this.#kept.add(slot, hash, place);
    if (place === NOWHERE) this.#unwritten.set(slot, packed.slice());
    this.#unused.add(slot);
  }

  #packedOf(slot: number): Uint8Array {
    const place = this.#kept.placeOf(slot);
    const packed = place === NOWHERE ? this.#unwritten.get(slot) : this.#file?.packedAt(place);
    return packed ?? new Uint8Array(packedLength(this.index.dimensions));
  }

  #assignAll(): void {
    for (const file of this.#waiting) this.#assign(file);
    this.#allSlots = undefined;
  }

  has(signatureHash: string): boolean {
    return this.#kept.find(signatureBytes(signatureHash)) !== undefined;
  }

  fileAdded(file: KnownFile): void {
    this.#assign(file);
    this.#invalidate();
  }

  fileRemoved(file: KnownFile): void {
    this.#waiting.delete(file);
    for (const slot of this.#files.slotsOf(file)) {
      if (slot < 0) continue;
      this.#covered -= 1;
      if (this.#kept.count(slot, -1) === 0) this.#unused.add(slot);
    }
    this.#invalidate();
  }

  /** Forgets the vectors that were unused for longest, if there are too many. Their disk space is freed by `moveTo`. */
  forgetUnused(): void {
    const most = Math.max(FEWEST_UNUSED, (this.#kept.size - this.#unused.size) * UNUSED_SHARE);
    for (const slot of this.#unused) {
      if (this.#unused.size <= most) break;
      this.#unused.delete(slot);
      this.#unwritten.delete(slot);
      this.#kept.delete(slot);
      this.index.remove(slot);
    }
  }

  missing(limit: number): readonly MissingVector[] {
    this.#missing ??= { list: this.#findMissing(), from: 0 };
    const { list } = this.#missing;
    const found: MissingVector[] = [];
    for (let at = this.#missing.from; at < list.length && found.length < limit; at += 1) {
      const one = list[at];
      if (one === undefined) continue;
      if (!this.has(one.signatureHash)) found.push(one);
      // Vectors are computed in this order, so the beginning of the list need not be searched again.
      else if (found.length === 0) this.#missing.from = at + 1;
    }
    return found;
  }

  /** The slots of all chunks that have a vector, and the chunk of each. */
  slots(accepts: ((file: KnownFile) => boolean) | undefined): ChunkSlots {
    if (accepts === undefined && this.#allSlots !== undefined) return this.#allSlots;
    const files = [...this.#files.all()].filter((file) => accepts?.(file) !== false);
    const most = files.reduce((sum, file) => sum + file.chunks, 0);
    const slots = new Int32Array(most);
    const fileOf = new Int32Array(most);
    const chunks = new Int32Array(most);
    let size = 0;
    for (const [number, file] of files.entries()) {
      const own = this.#files.slotsOf(file);
      for (let chunk = 0; chunk < own.length; chunk += 1) {
        const slot = own[chunk] ?? NOWHERE;
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
    if (accepts === undefined) this.#allSlots = found;
    return found;
  }

  /** Assigns known vectors to the chunks of a file. */
  #assign(file: KnownFile): void {
    let missing = 0;
    const slots = this.#files.slotsOf(file);
    for (let number = 0; number < slots.length; number += 1) {
      if ((slots[number] ?? NOWHERE) >= 0) continue;
      const kept = this.#kept.find(this.#files.signatures, file.first + number);
      if (kept === undefined) {
        missing += 1;
        continue;
      }
      slots[number] = kept;
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
    for (const file of inEmbeddingOrder([...this.#waiting])) {
      const { path, first } = file;
      for (const [number, slot] of this.#files.slotsOf(file).entries()) {
        if (slot >= 0) continue;
        const key = signatureKey(this.#files.signatures, first + number);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({ signatureHash: hashOfKey(key), path });
      }
    }
    return found;
  }

  #invalidate(): void {
    this.#missing = undefined;
    this.#allSlots = undefined;
  }
}

export interface ChunkSlots {
  readonly slots: Int32Array;
  /** The chunk of the slot at an index of `slots`. */
  readonly at: (index: number) => { readonly file: KnownFile | undefined; readonly chunk: number };
}
