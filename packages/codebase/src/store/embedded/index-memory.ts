// What an index keeps in memory while a process runs: files, words, vectors, and which part of the file each came from.
// It reads what is new in the file; its owner decides what is written there.

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
  /** The number on the disk; 0 for what is not there. */
  readonly segmentRows = new Map<PostingSegment, number>();
  /** Of the embedder that was last asked about. */
  vectors: ChunkVectors | undefined;
  /** The last number that was given to a file. */
  lastFile = 0;

  readonly #folder: string | undefined;

  /** `folder` is where the files of vectors are, if anywhere. */
  constructor(weights: LexicalWeights | undefined, folder: string | undefined) {
    this.lexical = new LexicalIndex(weights);
    this.#folder = folder;
  }

  /** Takes what is in the file and not here, and drops what is here and not in the file. */
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

  /** What is read from files is read no more. */
  close(): void {
    this.vectors?.[Symbol.dispose]();
    for (const segment of this.lexical.segments) segment[Symbol.dispose]();
  }

  /** `database` is where they are kept, if anywhere. */
  vectorsOf(embedderId: string, database: IndexDatabase | undefined): ChunkVectors {
    const known = this.vectors;
    if (known?.embedderId === embedderId) return known;
    const prepared = database?.isPrepared === true ? database : undefined;
    return this.#useVectors(embedderId, prepared?.embedder(embedderId));
  }

  /** Of another size they are others, and begin again. */
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
    // A file that was made again counts from the start again.
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
      // Whatever is the matter with the file, they can be made again.
      return this.newVectors(embedderId, dimensions);
    }
  }
}
