// SQLite by libsql, which is loaded when first needed, since native code may fail to load. Values are bound as one list,
// blobs are returned as bytes, and errors keep the code of SQLite. The caller owns the schema.

import { CodedError, err, messageOf, ok, type Result } from '@plugboard/base';

export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The code of every error of SQLite; `data.sqlite` tells which one. */
export const SQLITE_FAILED = 'sqlite-failed';

export interface SqliteFailure {
  /** The name in SQLite: `SQLITE_FULL`, `SQLITE_CORRUPT`. */
  readonly sqlite: string;
}

interface NativeStatement {
  run(values: readonly unknown[]): unknown;
  all(values: readonly unknown[]): unknown[];
}

interface NativeDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): NativeStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

type OpenNative = new (path: string, options: { readonly timeout: number }) => NativeDatabase;

export type OpenDatabase = (path: string, options?: { readonly waitMs?: number }) => SqlDatabase;

/** How long a statement waits for another process. */
const WAIT_MS = 5_000;

/** A function that opens databases, or a sentence if the native code does not load. */
export async function loadSqlite(): Promise<Result<OpenDatabase, string>> {
  try {
    // Its types are copied from another package and wrong in places; these cover what is used.
    const { default: Native } = (await import('libsql')) as unknown as { default: OpenNative };
    return ok((path, { waitMs = WAIT_MS } = {}) => {
      try {
        return new SqlDatabase(new Native(path, { timeout: waitMs }));
      } catch (thrown) {
        throw failed(thrown);
      }
    });
  } catch (thrown) {
    return err(`libsql does not load: ${messageOf(thrown)}`);
  }
}

export class SqlDatabase implements Disposable {
  #native: NativeDatabase | undefined;
  readonly #statements = new Map<string, NativeStatement>();

  constructor(native: NativeDatabase) {
    this.#native = native;
  }

  /** Prepared statements are cached: `sql` must not contain values. */
  run(sql: string, values: readonly SqlValue[] = []): void {
    try {
      this.#statement(sql).run(values.map(bound));
    } catch (thrown) {
      throw failed(thrown);
    }
  }

  all(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    try {
      // Rows have an additional field with measurements, which is dropped.
      return this.#statement(sql)
        .all(values.map(bound))
        .map((row) => plainRow(row as object));
    } catch (thrown) {
      throw failed(thrown);
    }
  }

  /** Runs several statements without values. */
  script(sql: string): void {
    try {
      this.#open().exec(sql);
    } catch (thrown) {
      throw failed(thrown);
    }
  }

  /** The value of a pragma that is a number. */
  pragma(name: string): number {
    return numberIn(this.all(`PRAGMA ${name}`)[0], name);
  }

  /** Throws a `RangeError` if the file is damaged, in the words of SQLite. */
  check(): void {
    const [first] = this.all('PRAGMA quick_check(1)');
    const verdict = first === undefined ? 'no answer' : String(Object.values(first)[0]);
    if (verdict !== 'ok') throw new RangeError(verdict);
  }

  /** Runs `work` as one transaction. */
  atomically<T>(work: () => T): T {
    this.script('BEGIN IMMEDIATE');
    try {
      const value = work();
      this.script('COMMIT');
      return value;
    } catch (thrown) {
      // A full disk has ended the transaction already.
      if (this.#open().inTransaction) this.script('ROLLBACK');
      throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#native?.close();
    this.#native = undefined;
  }

  #open(): NativeDatabase {
    if (this.#native !== undefined) return this.#native;
    throw new CodedError(SQLITE_FAILED, 'the database is closed', {
      data: { sqlite: 'SQLITE_MISUSE' } satisfies SqliteFailure,
    });
  }

  #statement(sql: string): NativeStatement {
    const native = this.#open();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = native.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** 0 if there is no such number, as in a damaged file. */
export function numberIn(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
}

export function bytesIn(row: SqlRow | undefined, column: string): Uint8Array {
  const value = row?.[column];
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

function bound(value: SqlValue): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}

function plainRow(row: object): SqlRow {
  const plain: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(row)) {
    plain[name] = value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SqlValue);
  }
  return plain;
}

function failed(thrown: unknown): CodedError<typeof SQLITE_FAILED, SqliteFailure> {
  if (isSqliteFailure(thrown)) return thrown;
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  const sqlite = typeof code === 'string' && code !== '' ? code : 'SQLITE_CANTOPEN';
  return new CodedError(SQLITE_FAILED, messageOf(thrown), { data: { sqlite }, cause: thrown });
}

export function isSqliteFailure(
  thrown: unknown,
): thrown is CodedError<typeof SQLITE_FAILED, SqliteFailure> {
  return thrown instanceof CodedError && thrown.code === SQLITE_FAILED;
}
