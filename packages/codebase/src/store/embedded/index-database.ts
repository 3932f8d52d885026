// The database of an index: its tables, and every query and statement on them. One change is one transaction, so that the
// database contains all of a change or nothing of it whenever a process dies.

import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { CodedError } from '@plugboard/base';
import {
  bytesIn,
  numberIn,
  type OpenDatabase,
  type SqlDatabase,
  SQLITE_FAILED,
} from '../../platform/index.ts';
import { textBytes } from '../engine/byte-writer.ts';
import { PostingSegment } from '../engine/posting-segment.ts';
import { traitBits } from '../../words/index.ts';
import {
  packChunks,
  packFacts,
  packSignatures,
  SIGNATURE_BYTES,
  type StoredFacts,
  unpackFacts,
} from '../port/file-record.ts';
import type { IndexedFile } from '../port/store.ts';
import { SegmentFile } from './segment-file.ts';

export interface FileRow extends StoredFacts {
  readonly id: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly signatures: Uint8Array;
}

export interface NewFileRow extends FileRow {
  readonly chunks: Uint8Array;
}

export interface StoredSegment {
  readonly segment: PostingSegment;
  readonly row: number;
}

export interface EmbedderRow {
  readonly id: number;
  readonly dimensions: number;
  /** The number of its vectors, which are in their own file. */
  readonly count: number;
}

export interface IndexChange {
  readonly goneFiles: readonly number[];
  readonly files: readonly NewFileRow[];
  readonly touched: readonly {
    readonly id: number;
    readonly size: number;
    readonly mtimeMs: number;
  }[];
  readonly goneSegments: readonly number[];
  readonly segment: Uint8Array | undefined;
}

/** Part of the file name, so that two versions of the program never share a file. */
export const INDEX_VERSION = 6;
const PAGE_BYTES = 4096;
/** How many rows are read at a time. */
const PAGE_ROWS = 2048;
/** The size to which the log is truncated. */
const MOST_LOG_BYTES = 1024 * 1024;
/** How many free pages are tolerated before they are returned. */
const MOST_FREE_PAGES = 256;

// There are no text columns: libsql crashes the process when it reads text that is not UTF-8, as in a damaged file. For the
// same reason every value is cast when it is read.
const TABLES = `
  CREATE TABLE files(id INTEGER PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL, facts BLOB NOT NULL,
    signatures BLOB NOT NULL, chunks BLOB NOT NULL);
  CREATE TABLE segments(id INTEGER PRIMARY KEY AUTOINCREMENT, bytes INTEGER NOT NULL, head INTEGER NOT NULL,
    checksum INTEGER NOT NULL);
  CREATE TABLE embedders(id INTEGER PRIMARY KEY AUTOINCREMENT, name BLOB NOT NULL, dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL);
  CREATE TABLE counter(id INTEGER PRIMARY KEY, file INTEGER NOT NULL);
  INSERT INTO counter VALUES(1, 0);
  PRAGMA user_version = ${INDEX_VERSION};`;

export class IndexDatabase implements Disposable {
  readonly #database: SqlDatabase;
  readonly #folder: string;
  #mostBytes = 0;

  constructor(open: OpenDatabase, path: string) {
    this.#database = open(path);
    this.#folder = dirname(path);
  }

  /** Makes the tables if there are none. Only for the writer. Throws if the file is damaged. */
  prepare(mostBytes: number): void {
    const database = this.#database;
    this.#mostBytes = mostBytes;
    if (database.pragma('user_version') === 0) database.script('PRAGMA auto_vacuum = INCREMENTAL');
    database.all('PRAGMA journal_mode = WAL');
    database.all('PRAGMA synchronous = NORMAL');
    database.all(`PRAGMA journal_size_limit = ${MOST_LOG_BYTES}`);
    database.all(`PRAGMA max_page_count = ${Math.max(1, Math.floor(mostBytes / PAGE_BYTES))}`);
    if (database.pragma('user_version') === 0) database.atomically(() => database.script(TABLES));
    database.check();
  }

  get isPrepared(): boolean {
    return this.#database.pragma('user_version') === INDEX_VERSION;
  }

  /** Changes whenever another process has written. */
  version(): number {
    return this.#database.pragma('data_version');
  }

  /** The size including the files of words and vectors. */
  bytes(): number {
    const [words] = this.#database.all('SELECT total(bytes) AS bytes FROM segments');
    const [vectors] = this.#database.all(
      `SELECT total(vectors * (${SIGNATURE_BYTES} + (dimensions + 1) / 2)) AS bytes FROM embedders`,
    );
    const pages = this.#database.pragma('page_count') * PAGE_BYTES;
    return pages + numberIn(words, 'bytes') + numberIn(vectors, 'bytes');
  }

  /** Runs `read` on one state of the database, whatever is written meanwhile. */
  snapshot<T>(read: () => T): T {
    this.#database.script('BEGIN');
    try {
      return read();
    } finally {
      this.#database.script('COMMIT');
    }
  }

  fileCount(): number {
    return numberIn(this.#database.all('SELECT count(*) AS n FROM files')[0], 'n');
  }

  fileIds(): ReadonlySet<number> {
    return new Set(this.#database.all('SELECT id FROM files').map((row) => numberIn(row, 'id')));
  }

  lastFileId(): number {
    const [row] = this.#database.all('SELECT CAST(file AS INTEGER) AS file FROM counter');
    return numberIn(row, 'file');
  }

  /** The next page of files after an id; empty after the last one. */
  filesAfter(id: number): readonly FileRow[] {
    const rows = this.#database.all(
      `SELECT id, CAST(size AS INTEGER) AS size, CAST(mtime AS REAL) AS mtime, CAST(facts AS BLOB) AS facts,
       CAST(signatures AS BLOB) AS signatures FROM files WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`,
      [id],
    );
    return rows.map((row) => {
      const signatures = bytesIn(row, 'signatures');
      return {
        id: numberIn(row, 'id'),
        size: numberIn(row, 'size'),
        mtimeMs: numberIn(row, 'mtime'),
        ...unpackFacts(bytesIn(row, 'facts'), signatures),
        signatures,
      };
    });
  }

  chunksOf(file: number): Uint8Array | undefined {
    const [row] = this.#database.all(
      'SELECT CAST(chunks AS BLOB) AS chunks FROM files WHERE id = ?',
      [file],
    );
    return row === undefined ? undefined : bytesIn(row, 'chunks');
  }

  segmentIds(): readonly number[] {
    const rows = this.#database.all('SELECT id FROM segments ORDER BY id');
    return rows.map((row) => numberIn(row, 'id'));
  }

  /** Throws if it is damaged. */
  segment(id: number): PostingSegment {
    const [row] = this.#database.all(
      `SELECT CAST(bytes AS INTEGER) AS bytes, CAST(head AS INTEGER) AS head, CAST(checksum AS INTEGER) AS checksum
       FROM segments WHERE id = ?`,
      [id],
    );
    return SegmentFile.open(this.#folder, {
      id,
      bytes: numberIn(row, 'bytes'),
      headBytes: numberIn(row, 'head'),
      checksum: numberIn(row, 'checksum'),
    });
  }

  /** Returns the segment as it is on the disk, if the change has one. */
  apply(change: IndexChange): StoredSegment | undefined {
    const database = this.#database;
    return database.atomically(() => {
      for (const id of change.goneFiles) database.run('DELETE FROM files WHERE id = ?', [id]);
      for (const file of change.files) this.#insert(file);
      for (const { id, size, mtimeMs } of change.touched) {
        database.run('UPDATE files SET size = ?, mtime = ? WHERE id = ?', [size, mtimeMs, id]);
      }
      const last = change.files.at(-1)?.id;
      if (last !== undefined) {
        database.run('UPDATE counter SET file = ?', [last]);
      }
      for (const id of change.goneSegments) database.run('DELETE FROM segments WHERE id = ?', [id]);
      return change.segment && this.#insertSegment(change.segment);
    });
  }

  embedder(name: string): EmbedderRow | undefined {
    const [row] = this.#database.all(
      `SELECT id, CAST(dimensions AS INTEGER) AS dimensions, CAST(vectors AS INTEGER) AS vectors
       FROM embedders WHERE name = ?`,
      [textBytes(name)],
    );
    if (row === undefined) return undefined;
    const [id, dimensions] = [numberIn(row, 'id'), numberIn(row, 'dimensions')];
    return { id, dimensions, count: numberIn(row, 'vectors') };
  }

  /** Replaces the vectors of any other embedder. `writeTo` writes the first vectors, and returns their number. */
  useEmbedder(name: string, dimensions: number, writeTo: (row: number) => number): number {
    const database = this.#database;
    return database.atomically(() => {
      database.run('DELETE FROM embedders');
      database.run('INSERT INTO embedders(name, dimensions, vectors) VALUES(?, ?, 0)', [
        textBytes(name),
        dimensions,
      ]);
      const row = this.#lastRow();
      // Other processes see the embedder only together with its vectors.
      this.countVectors(row, writeTo(row));
      return row;
    });
  }

  /** Sets how many vectors in the file of the embedder are valid. */
  countVectors(embedder: number, count: number): number {
    this.#database.run('UPDATE embedders SET vectors = ? WHERE id = ?', [count, embedder]);
    return count;
  }

  /** Returns free pages to the disk once there are many. */
  shrink(): void {
    const free = this.#database.pragma('freelist_count');
    if (free < MOST_FREE_PAGES || free < this.#database.pragma('page_count') / 8) return;
    this.#database.all('PRAGMA incremental_vacuum');
  }

  /** Moves the log into the database, as far as no reader prevents it. */
  settle(): void {
    this.#database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  #insert(file: NewFileRow): void {
    const { id, size, mtimeMs, signatures, chunks } = file;
    this.#database.run(
      'INSERT INTO files(id, size, mtime, facts, signatures, chunks) VALUES(?, ?, ?, ?, ?, ?)',
      [id, size, mtimeMs, packFacts(file, signatures), signatures, chunks],
    );
  }

  /** Writes the file of the segment, over anything that a killed process left. It becomes valid with the transaction. */
  #insertSegment(bytes: Uint8Array): StoredSegment {
    const segment = PostingSegment.of(bytes);
    const { headBytes } = segment;
    this.#database.run('INSERT INTO segments(bytes, head, checksum) VALUES(?, ?, ?)', [
      bytes.length,
      headBytes,
      crc32(bytes),
    ]);
    const row = this.#lastRow();
    if (this.bytes() > this.#mostBytes) throw full();
    SegmentFile.write(this.#folder, row, bytes);
    segment.moveLists(SegmentFile.lists(this.#folder, row, headBytes));
    return { segment, row };
  }

  #lastRow(): number {
    return numberIn(this.#database.all('SELECT last_insert_rowid() AS id')[0], 'id');
  }
}

/** The rows of new files, with ids after `last`. */
export function newRows(put: readonly IndexedFile[], last: number): readonly NewFileRow[] {
  return put.map(({ path, size, mtimeMs, hash, language, traits, chunks }, number) => ({
    ...{ id: last + number + 1, path, size, mtimeMs, hash, language },
    traits: traitBits(traits),
    signatures: packSignatures(chunks),
    chunks: packChunks(chunks),
  }));
}

function full(): CodedError {
  return new CodedError(SQLITE_FAILED, 'the index is full', { data: { sqlite: 'SQLITE_FULL' } });
}
