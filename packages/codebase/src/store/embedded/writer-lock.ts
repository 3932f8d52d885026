// Ensures that one process at a time writes an index, by a system lock on a file beside it. The system releases the lock
// whenever the process ends, so no process has to guess whether another one is alive.

import { isSqliteFailure, type OpenDatabase, type SqlDatabase } from '../../platform/index.ts';

export class WriterLock implements Disposable {
  readonly #database: SqlDatabase;
  #isHeld = false;

  /** Throws if the file cannot be created. */
  constructor(open: OpenDatabase, path: string) {
    this.#database = open(path, { waitMs: 0 });
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Tries to take the lock, and returns whether this process holds it. */
  take(): boolean {
    if (this.#isHeld) return true;
    try {
      this.#database.script('BEGIN EXCLUSIVE');
      this.#isHeld = true;
    } catch (thrown) {
      if (!isSqliteFailure(thrown) || !thrown.data.sqlite.startsWith('SQLITE_BUSY')) throw thrown;
    }
    return this.#isHeld;
  }

  [Symbol.dispose](): void {
    this.#isHeld = false;
    this.#database[Symbol.dispose]();
  }
}
