// The database of symbols: the files that were read, their declarations, and the files that contain each name. It is beside
// the index of chunks and written by the same process. Nothing of it is kept in memory.

import {
  bytesIn,
  numberIn,
  type OpenDatabase,
  type SqlDatabase,
  type SqlRow,
} from '../platform/index.ts';
import { textBytes } from '../store/index.ts';
import { namesIn, type PackedSymbols } from './file-symbols.ts';
import { BUCKETS, bucketOf, type NameRecords, packBucket, unpackBucket } from './name-bucket.ts';

export interface SymbolFile {
  readonly path: string;
  /** The hash of the content, as in the index of chunks. */
  readonly hash: string;
  readonly isTest: boolean;
  readonly symbols: PackedSymbols;
}

export interface KnownSymbolFile {
  readonly id: number;
  readonly path: string;
  readonly isTest: boolean;
}

export interface SymbolChange {
  readonly put: readonly SymbolFile[];
  readonly remove: readonly string[];
}

/** Part of the file name, so that two versions of the program never share a file. */
export const SYMBOLS_VERSION = 2;
/** How many rows a bucket has before they are merged. */
const MOST_ROWS = 48;
const PER_BUCKET = 2 ** 32;
/** The size to which the log is truncated. */
const MOST_LOG_BYTES = 1024 * 1024;

// There are no text columns: libsql crashes the process when it reads text that is not UTF-8, as in a damaged file.
const TABLES = `
  CREATE TABLE files(id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE, hash BLOB NOT NULL,
    test INTEGER NOT NULL, definitions BLOB NOT NULL);
  CREATE TABLE names(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  PRAGMA user_version = ${SYMBOLS_VERSION};`;

export class SymbolDatabase implements Disposable {
  readonly #database: SqlDatabase;

  constructor(open: OpenDatabase, path: string) {
    this.#database = open(path);
  }

  get isPrepared(): boolean {
    return this.#database.pragma('user_version') === SYMBOLS_VERSION;
  }

  /** Makes the tables if there are none. Only for the writer. Throws if the file is damaged. */
  prepare(): void {
    const database = this.#database;
    database.all('PRAGMA journal_mode = WAL');
    database.all('PRAGMA synchronous = NORMAL');
    database.all(`PRAGMA journal_size_limit = ${MOST_LOG_BYTES}`);
    if (database.pragma('user_version') === 0) database.atomically(() => database.script(TABLES));
    database.check();
  }

  /** The hashes of all known files. */
  hashes(): ReadonlyMap<string, string> {
    const rows = this.#database.all(
      'SELECT CAST(path AS BLOB) AS path, CAST(hash AS BLOB) AS hash FROM files',
    );
    return new Map(rows.map((row) => [textIn(row, 'path'), textIn(row, 'hash')]));
  }

  count(): number {
    return numberIn(this.#database.all('SELECT count(*) AS n FROM files')[0], 'n');
  }

  bytes(): number {
    return this.#database.pragma('page_count') * this.#database.pragma('page_size');
  }

  apply({ put, remove }: SymbolChange): void {
    const database = this.#database;
    database.atomically(() => {
      for (const path of [...remove, ...put.map((file) => file.path)]) {
        database.run('DELETE FROM files WHERE path = ?', [textBytes(path)]);
      }
      const buckets = new Map<number, NameRecords>();
      for (const { path, hash, isTest, symbols } of put) {
        database.run('INSERT INTO files(path, hash, test, definitions) VALUES(?, ?, ?, ?)', [
          textBytes(path),
          textBytes(hash),
          isTest ? 1 : 0,
          symbols.definitions,
        ]);
        const file = numberIn(database.all('SELECT last_insert_rowid() AS id')[0], 'id');
        addNames(buckets, file, symbols.names);
      }
      for (const [bucket, names] of buckets) this.#append(bucket, names);
    });
  }

  /** The names of one bucket, including those of removed files. */
  namesLike(bucket: number, isWanted?: (name: string) => boolean): NameRecords {
    const names: NameRecords = new Map();
    for (const row of this.#rows(bucket)) unpackBucket(bytesIn(row, 'data'), names, isWanted);
    return names;
  }

  /** The files among `ids` that still exist. */
  filesWith(ids: readonly number[]): ReadonlyMap<number, KnownSymbolFile> {
    const rows = this.#database.all(
      `SELECT id, CAST(path AS BLOB) AS path, CAST(test AS INTEGER) AS test FROM files
       WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(ids)],
    );
    return new Map(rows.map((row) => [numberIn(row, 'id'), knownFile(row)]));
  }

  /** All files in a folder, or the file itself; all files for the root. */
  filesUnder(path: string): ReadonlyMap<number, KnownSymbolFile> {
    const columns =
      'SELECT id, CAST(path AS BLOB) AS path, CAST(test AS INTEGER) AS test FROM files';
    const rows =
      path === ''
        ? this.#database.all(columns)
        : this.#database.all(`${columns} WHERE path = ? OR (path > ? AND path < ?)`, [
            textBytes(path),
            textBytes(`${path}/`),
            // The character after the slash.
            textBytes(`${path}0`),
          ]);
    return new Map(rows.map((row) => [numberIn(row, 'id'), knownFile(row)]));
  }

  definitions(file: number): Uint8Array | undefined {
    const [row] = this.#database.all(
      'SELECT CAST(definitions AS BLOB) AS definitions FROM files WHERE id = ?',
      [file],
    );
    return row === undefined ? undefined : bytesIn(row, 'definitions');
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  #append(bucket: number, names: NameRecords): void {
    const [first] = range(bucket);
    const [row] = this.#database.all(
      'SELECT count(*) AS n, max(id) AS last FROM names WHERE id >= ? AND id < ?',
      range(bucket),
    );
    const count = numberIn(row, 'n');
    if (count < MOST_ROWS) {
      const id = count === 0 ? first : numberIn(row, 'last') + 1;
      this.#database.run('INSERT INTO names(id, data) VALUES(?, ?)', [id, packBucket(names)]);
      return;
    }
    const all = this.namesLike(bucket);
    for (const [name, records] of names) all.set(name, [...(all.get(name) ?? []), ...records]);
    this.#database.run('DELETE FROM names WHERE id >= ? AND id < ?', range(bucket));
    this.#database.run('INSERT INTO names(id, data) VALUES(?, ?)', [
      first,
      packBucket(this.#withoutGone(all)),
    ]);
  }

  #withoutGone(names: NameRecords): NameRecords {
    const ids = new Set([...names.values()].flatMap((records) => records.map(({ file }) => file)));
    const alive = this.filesWith([...ids]);
    const kept: NameRecords = new Map();
    for (const [name, records] of names) {
      const left = records.filter(({ file }) => alive.has(file));
      if (left.length > 0) kept.set(name, left);
    }
    return kept;
  }

  #rows(bucket: number): readonly SqlRow[] {
    return this.#database.all(
      'SELECT id, CAST(data AS BLOB) AS data FROM names WHERE id >= ? AND id < ? ORDER BY id',
      range(bucket),
    );
  }
}

function range(bucket: number): readonly [number, number] {
  return [bucket * PER_BUCKET, (bucket + 1) * PER_BUCKET];
}

function addNames(buckets: Map<number, NameRecords>, file: number, packed: Uint8Array): void {
  for (const { name, isDeclared, uses } of namesIn(packed)) {
    const bucket = bucketOf(name);
    const names = buckets.get(bucket) ?? new Map<string, []>();
    buckets.set(bucket, names);
    const records = names.get(name) ?? [];
    names.set(name, records);
    records.push({ file, isDeclared, uses });
  }
}

export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, index) => index);

function knownFile(row: SqlRow): KnownSymbolFile {
  return {
    id: numberIn(row, 'id'),
    path: textIn(row, 'path'),
    isTest: numberIn(row, 'test') === 1,
  };
}

function textIn(row: SqlRow, column: string): string {
  return Buffer.from(bytesIn(row, column)).toString('utf8');
}
