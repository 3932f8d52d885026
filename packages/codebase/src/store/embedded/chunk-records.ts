// The names and places of chunks, read from the database when a search has found them, with a cache of the last ones. If
// the database cannot be written, they are kept in memory.

import { type ChunkFacts, unpackChunks } from '../port/file-record.ts';
import type { IndexDatabase } from './index-database.ts';

/** For how many files the chunks are cached. */
const CACHED_FILES = 512;

export class ChunkRecords {
  readonly #kept = new Map<number, Uint8Array>();
  readonly #cache = new Map<number, readonly ChunkFacts[]>();

  keep(file: number, packed: Uint8Array): void {
    this.#kept.set(file, packed);
  }

  drop(file: number): void {
    this.#kept.delete(file);
    this.#cache.delete(file);
  }

  /** `undefined` if the file is gone. */
  of(file: number, database: IndexDatabase | undefined): readonly ChunkFacts[] | undefined {
    const known = this.#cache.get(file);
    if (known !== undefined) return known;
    const packed = this.#kept.get(file) ?? database?.chunksOf(file);
    if (packed === undefined) return undefined;
    const facts = unpackChunks(packed);
    this.#cache.set(file, facts);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= CACHED_FILES) break;
      this.#cache.delete(oldest);
    }
    return facts;
  }
}
