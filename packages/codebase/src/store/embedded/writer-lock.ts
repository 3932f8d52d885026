// Who may write an index: the one process that holds a system lock on a file beside it. The system releases the lock
// when the process ends, however it ends, so that no process has to guess whether another is still alive.

import { isSqliteFailure, type OpenDatabase, type SqlDatabase } from '../../platform/index.ts';

export class WriterLock implements Disposable {
  readonly #database: SqlDatabase;
  #isHeld = false;

  /** Throws where the file cannot be made. */
  constructor(open: OpenDatabase, path: string) {
    this.#database = open(path, { waitMs: 0 });
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Whether this one holds it now. */
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
