// The names and places of chunks, read from the file of the index when a search has found them; the last ones read are
// cached. If the file cannot be written, they are kept here.

import { type ChunkFacts, unpackChunks } from '../port/file-record.ts';
import type { IndexDatabase } from './index-database.ts';

/** How many files have their chunks cached. */
const AT_HAND = 512;

export class ChunkRecords {
  readonly #kept = new Map<number, Uint8Array>();
  readonly #atHand = new Map<number, readonly ChunkFacts[]>();

  keep(file: number, packed: Uint8Array): void {
    this.#kept.set(file, packed);
  }

  drop(file: number): void {
    this.#kept.delete(file);
    this.#atHand.delete(file);
  }

  /** `undefined` if the file is gone meanwhile. */
  of(file: number, database: IndexDatabase | undefined): readonly ChunkFacts[] | undefined {
    const known = this.#atHand.get(file);
    if (known !== undefined) return known;
    const packed = this.#kept.get(file) ?? database?.chunksOf(file);
    if (packed === undefined) return undefined;
    const facts = unpackChunks(packed);
    this.#atHand.set(file, facts);
    for (const oldest of this.#atHand.keys()) {
      if (this.#atHand.size <= AT_HAND) break;
      this.#atHand.delete(oldest);
    }
    return facts;
  }
}
