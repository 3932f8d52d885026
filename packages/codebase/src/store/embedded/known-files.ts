// The files of an index in memory, with their ids and the slots of their vectors. The names of chunks are read from the
// database when needed.

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
  /** The number of its chunks, and the index of the first one among the chunks of all files. */
  readonly chunks: number;
  first: number;
}

const NONE = -1;
/** How many chunks of removed files are tolerated before the arrays are compacted. */
const FEWEST_GONE = 16_384;

export class KnownFiles {
  readonly #byPath = new Map<string, KnownFile>();
  readonly #byId = new Map<number, KnownFile>();
  // For the chunks of all files: an array for each file would cost more than its content.
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

  /** The signatures of all chunks, one after another; valid until the next `put`. */
  get signatures(): Uint8Array {
    return this.#signatures;
  }

  /** The slot of the vector of each chunk; negative for none. Writable, and valid until the next `put`. */
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

  /** Its slots remain valid until the next `put`. */
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

/** Copies field by field, so that all files have the same hidden class. */
function fileOf(row: FileRow, first: number, chunks: number): KnownFile {
  const { id, path, size, mtimeMs, hash, language, traits } = row;
  return { id, path, size, mtimeMs, hash, language, traits: traitsOfBits(traits), chunks, first };
}
