// Opens the database of symbols in the folder of an index, for the process that writes it and for those that only read. A
// damaged database is recreated; if nothing can be written, symbols are kept in memory, which a note reports.

import { join } from 'node:path';
import { messageOf } from '@plugboard/base';
import { ensureOwn, type OpenDatabase, removeOwn } from '../platform/index.ts';
import { type SymbolChange, SymbolDatabase, SYMBOLS_VERSION } from './symbol-database.ts';
import { SymbolIndex } from './symbol-index.ts';

export interface SymbolStoreOptions {
  /** The folder of the index; `undefined`: only in memory. */
  readonly folder: string | undefined;
  readonly open: OpenDatabase;
}

const FILE = `symbols-${SYMBOLS_VERSION}.db`;
const IN_MEMORY = ':memory:';

export class SymbolStore implements Disposable {
  readonly #options: SymbolStoreOptions;
  readonly #notes: string[] = [];
  #database: SymbolDatabase;
  #hasFailed = false;

  private constructor(options: SymbolStoreOptions, database: SymbolDatabase) {
    this.#options = options;
    this.#database = database;
  }

  static async open(options: SymbolStoreOptions): Promise<SymbolStore> {
    const { folder, open } = options;
    if (folder === undefined) return new SymbolStore(options, inMemory(open));
    try {
      await ensureOwn(folder);
      return new SymbolStore(options, new SymbolDatabase(open, join(folder, FILE)));
    } catch (thrown) {
      const store = new SymbolStore(options, inMemory(open));
      store.#notes.push(`symbols cannot be kept in ${folder}: ${messageOf(thrown)}`);
      return store;
    }
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** `undefined` if the database is not prepared yet. */
  get index(): SymbolIndex | undefined {
    return this.#database.isPrepared ? new SymbolIndex(this.#database) : undefined;
  }

  get state(): { readonly files: number; readonly bytes: number } {
    if (!this.#database.isPrepared) return { files: 0, bytes: 0 };
    return { files: this.#database.count(), bytes: this.#database.bytes() };
  }

  /** Prepares the database for writing, and returns the hashes of the files whose symbols are known. */
  async hashes(): Promise<ReadonlyMap<string, string>> {
    try {
      this.#database.prepare();
      return this.#database.hashes();
    } catch (thrown) {
      await this.#recreate(messageOf(thrown));
      return new Map();
    }
  }

  /** After a failed write nothing more is written: the next process reads what is missing. */
  apply(change: SymbolChange): void {
    if (this.#hasFailed) return;
    try {
      this.#database.apply(change);
    } catch (thrown) {
      this.#hasFailed = true;
      this.#notes.push(`symbols of files that change now are not kept: ${messageOf(thrown)}`);
    }
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  async #recreate(reason: string): Promise<void> {
    const { folder, open } = this.#options;
    this.#database[Symbol.dispose]();
    this.#notes.push(`symbols were damaged (${reason}) and are read again`);
    try {
      if (folder === undefined) throw new Error('there is no folder for them');
      for (const ending of ['', '-wal', '-shm']) await removeOwn(folder, FILE + ending);
      this.#database = new SymbolDatabase(open, join(folder, FILE));
      this.#database.prepare();
    } catch (thrown) {
      this.#notes.push(`symbols are kept in memory only: ${messageOf(thrown)}`);
      this.#database = inMemory(open);
    }
  }
}

function inMemory(open: OpenDatabase): SymbolDatabase {
  const database = new SymbolDatabase(open, IN_MEMORY);
  database.prepare();
  return database;
}
