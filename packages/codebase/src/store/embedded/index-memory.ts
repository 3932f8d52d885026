// The part of an index that is in memory: files, words, vectors, and the rows of the database that they come from. It reads
// what is new in the database; its owner decides what to write.

import { LexicalIndex, type LexicalWeights } from '../engine/lexical-index.ts';
import type { PostingSegment } from '../engine/posting-segment.ts';
import { ChunkRecords } from './chunk-records.ts';
import { ChunkVectors } from './chunk-vectors.ts';
import { packedLength } from '../engine/packed-vector.ts';
import type { EmbedderRow, FileRow, IndexDatabase } from './index-database.ts';
import { type KnownFile, KnownFiles } from './known-files.ts';
import { VectorFile } from './vector-file.ts';

const NONE: EmbedderRow = { id: 0, dimensions: 0, count: 0 };

export class IndexMemory {
  readonly files = new KnownFiles();
  readonly lexical: LexicalIndex;
  readonly records = new ChunkRecords();
  /** The database row of each segment; 0 for a segment that is only in memory. */
  readonly segmentRows = new Map<PostingSegment, number>();
  /** The vectors of the embedder that was last used. */
  vectors: ChunkVectors | undefined;
  /** The last id that was assigned to a file. */
  lastFile = 0;

  readonly #folder: string | undefined;

  /** `folder` contains the files of vectors; `undefined` without a disk. */
  constructor(weights: LexicalWeights | undefined, folder: string | undefined) {
    this.lexical = new LexicalIndex(weights);
    this.#folder = folder;
  }

  /** Takes what is new in the database, and drops what it no longer contains. */
  follow(database: IndexDatabase): void {
    database.snapshot(() => {
      this.#followFiles(database);
      if (database.fileCount() !== this.files.size) this.#dropAllBut(database.fileIds());
      this.#followSegments(database);
      this.#followVectors(database);
    });
  }

  remember(row: FileRow): void {
    const file = this.files.put(row);
    this.vectors?.fileAdded(file);
  }

  forget(file: KnownFile): void {
    this.files.delete(file);
    this.lexical.remove(file.id);
    this.records.drop(file.id);
    this.vectors?.fileRemoved(file);
  }

  addSegment(segment: PostingSegment, row: number): void {
    this.segmentRows.set(segment, row);
    this.lexical.add(segment, (id) => this.files.byId(id) !== undefined);
  }

  /** Closes all files. */
  close(): void {
    this.vectors?.[Symbol.dispose]();
    for (const segment of this.lexical.segments) segment[Symbol.dispose]();
  }

  /** `database` contains the vectors; `undefined` if they are only in memory. */
  vectorsOf(embedderId: string, database: IndexDatabase | undefined): ChunkVectors {
    const known = this.vectors;
    if (known?.embedderId === embedderId) return known;
    const prepared = database?.isPrepared === true ? database : undefined;
    return this.#useVectors(embedderId, prepared?.embedder(embedderId));
  }

  /** Begins again without vectors, for another number of dimensions. */
  newVectors(embedderId: string, dimensions: number): ChunkVectors {
    return this.#useVectors(embedderId, { id: 0, dimensions, count: 0 });
  }

  /** `undefined` if there is no folder. */
  vectorFile(row: number, dimensions: number): VectorFile | undefined {
    if (this.#folder === undefined || row === 0) return undefined;
    return new VectorFile(this.#folder, row, packedLength(dimensions));
  }

  #followFiles(database: IndexDatabase): void {
    const last = database.lastFileId();
    // A recreated database begins again with the first id.
    if (last < this.lastFile) this.lastFile = 0;
    for (;;) {
      const rows = database.filesAfter(this.lastFile);
      for (const row of rows) {
        const before = this.files.get(row.path);
        if (before !== undefined) this.forget(before);
        this.remember(row);
        this.lastFile = row.id;
      }
      if (rows.length === 0) break;
    }
    this.lastFile = last;
  }

  #dropAllBut(ids: ReadonlySet<number>): void {
    for (const file of [...this.files.all()]) if (!ids.has(file.id)) this.forget(file);
  }

  #followSegments(database: IndexDatabase): void {
    const ids = new Set(database.segmentIds());
    const known = new Set(this.segmentRows.values());
    const gone = [...this.segmentRows].filter(([, row]) => !ids.has(row));
    this.lexical.replace(
      gone.map(([segment]) => segment),
      undefined,
    );
    for (const [segment] of gone) this.segmentRows.delete(segment);
    for (const id of ids) {
      if (!known.has(id)) this.addSegment(database.segment(id), id);
    }
  }

  #followVectors(database: IndexDatabase): void {
    const known = this.vectors;
    if (known === undefined) return;
    const stored = database.embedder(known.embedderId);
    if (stored === undefined) return;
    if (stored.id === known.row) known.follow(stored.count);
    else this.#useVectors(known.embedderId, stored);
  }

  #useVectors(embedderId: string, stored: EmbedderRow = NONE): ChunkVectors {
    const { id: row, dimensions, count } = stored;
    this.vectors?.[Symbol.dispose]();
    const file = this.vectorFile(row, dimensions);
    const vectors = new ChunkVectors({ embedderId, dimensions, row, files: this.files, file });
    this.vectors = vectors;
    try {
      vectors.follow(count);
      return vectors;
    } catch {
      // Whatever is wrong with the file, the vectors can be computed again.
      return this.newVectors(embedderId, dimensions);
    }
  }
}
