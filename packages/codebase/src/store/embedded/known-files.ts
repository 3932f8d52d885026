// The files of an index as kept in memory: which exist, and which number stands for each. The names of their chunks are
// read when needed.

import type { FileTraits } from '../port/store.ts';
import { traitsOfBits } from '../../words/index.ts';
import { SIGNATURE_BYTES, signatureCount } from '../port/file-record.ts';
import type { FileRow } from './index-database.ts';

export interface KnownFile {
  readonly id: number;
  readonly path: string;
  size: number;
  mtimeMs: number;
  readonly hash: string;
  readonly language: string;
  readonly traits: FileTraits;
  /** How many chunks it has, and where the first of them is among those of all files. */
  readonly chunks: number;
  first: number;
}

const NONE = -1;
/** Chunks of files that are gone, before the others are moved together. */
const FEWEST_GONE = 16_384;

export class KnownFiles {
  readonly #byPath = new Map<string, KnownFile>();
  readonly #byId = new Map<number, KnownFile>();
  // Of the chunks of all files, since an array for each file costs more than it holds.
  #signatures = new Uint8Array(0);
  #slots = new Int32Array(0);
  #end = 0;
  #gone = 0;

  get size(): number {
    return this.#byPath.size;
  }

  get(path: string): KnownFile | undefined {
    return this.#byPath.get(path);
  }

  byId(id: number): KnownFile | undefined {
    return this.#byId.get(id);
  }

  all(): IterableIterator<KnownFile> {
    return this.#byPath.values();
  }

  /** Of all chunks, one after another; good until a file is put. */
  get signatures(): Uint8Array {
    return this.#signatures;
  }

  /** For each chunk where its vector is; less than 0 for none. Good until a file is put; may be written to. */
  slotsOf({ first, chunks }: KnownFile): Int32Array {
    return this.#slots.subarray(first, first + chunks);
  }

  /** Replaces the file with the same path. */
  put(row: FileRow): KnownFile {
    const before = this.#byPath.get(row.path);
    if (before !== undefined) this.delete(before);
    const chunks = signatureCount(row.signatures);
    this.#makeRoomFor(chunks);
    const file = fileOf(row, this.#end, chunks);
    this.#signatures.set(row.signatures, this.#end * SIGNATURE_BYTES);
    this.#slots.fill(NONE, this.#end, this.#end + chunks);
    this.#end += chunks;
    this.#byPath.set(row.path, file);
    this.#byId.set(row.id, file);
    return file;
  }

  /** Its slots can still be asked for until another is put. */
  delete(file: KnownFile): void {
    if (this.#byId.delete(file.id)) this.#gone += file.chunks;
    if (this.#byPath.get(file.path) === file) this.#byPath.delete(file.path);
  }

  #makeRoomFor(chunks: number): void {
    const live = this.#end - this.#gone;
    const isWasteful = this.#gone > Math.max(FEWEST_GONE, live);
    if (this.#end + chunks <= this.#slots.length && !isWasteful) return;
    const length = Math.ceil((live + chunks) * 1.25);
    const signatures = new Uint8Array(length * SIGNATURE_BYTES);
    const slots = new Int32Array(length);
    let end = 0;
    for (const file of this.#byId.values()) {
      const { first, chunks: count } = file;
      const [from, to] = [first * SIGNATURE_BYTES, (first + count) * SIGNATURE_BYTES];
      signatures.set(this.#signatures.subarray(from, to), end * SIGNATURE_BYTES);
      slots.set(this.#slots.subarray(first, first + count), end);
      file.first = end;
      end += count;
    }
    this.#signatures = signatures;
    this.#slots = slots;
    this.#end = end;
    this.#gone = 0;
  }
}

/** Field by field, so that all files have one shape. */
function fileOf(row: FileRow, first: number, chunks: number): KnownFile {
  const { id, path, size, mtimeMs, hash, language, traits } = row;
  return { id, path, size, mtimeMs, hash, language, traits: traitsOfBits(traits), chunks, first };
}
