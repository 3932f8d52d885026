// The files of an index as they are kept in memory: which there are, and which number stands for each. What their
// chunks are called is read when it is needed.

import type { FileTraits } from '../port/store.ts';
import { traitsOfBits } from '../../words/index.ts';
import { signatureCount } from '../port/file-record.ts';
import type { FileRow } from './index-database.ts';

export interface KnownFile {
  readonly id: number;
  readonly path: string;
  size: number;
  mtimeMs: number;
  readonly hash: string;
  readonly language: string;
  readonly traits: FileTraits;
  readonly signatures: Uint8Array;
  /** For each chunk where its vector is; -1 for none. */
  readonly slots: Int32Array;
}

export class KnownFiles {
  readonly #byPath = new Map<string, KnownFile>();
  readonly #byId = new Map<number, KnownFile>();

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

  /** In place of what had the same path, which is given back. */
  put(row: FileRow): { readonly file: KnownFile; readonly before: KnownFile | undefined } {
    const before = this.#byPath.get(row.path);
    if (before !== undefined) this.#byId.delete(before.id);
    const file = fileOf(row);
    this.#byPath.set(row.path, file);
    this.#byId.set(row.id, file);
    return { file, before };
  }

  delete(file: KnownFile): void {
    this.#byId.delete(file.id);
    if (this.#byPath.get(file.path) === file) this.#byPath.delete(file.path);
  }
}

/** Field by field, so that all files have one shape, and both arrays in one buffer: each of its own costs more than it holds. */
function fileOf({
  id,
  path,
  size,
  mtimeMs,
  hash,
  language,
  traits,
  signatures,
}: FileRow): KnownFile {
  const chunks = signatureCount(signatures);
  const room = new ArrayBuffer(chunks * Int32Array.BYTES_PER_ELEMENT + signatures.length);
  const slots = new Int32Array(room, 0, chunks).fill(-1);
  const kept = new Uint8Array(room, slots.byteLength);
  kept.set(signatures);
  return {
    id,
    path,
    size,
    mtimeMs,
    hash,
    language,
    traits: traitsOfBits(traits),
    signatures: kept,
    slots,
  };
}
