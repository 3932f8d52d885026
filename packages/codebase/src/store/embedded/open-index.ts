// Opens the database of an index in a folder, as the writer or as a reader. A damaged database is moved aside and
// recreated, which a note reports. If nothing can be written, the result states the reason, and the index is kept in
// memory.

import { join } from 'node:path';
import { codeOf, err, messageOf, ok, type Result } from '@plugboard/base';
import {
  ensureOwn,
  isSqliteFailure,
  moveOwn,
  type OpenDatabase,
  removeOwn,
} from '../../platform/index.ts';
import { INDEX_VERSION, IndexDatabase } from './index-database.ts';
import { WriterLock } from './writer-lock.ts';

export interface OpenIndex {
  readonly lock: WriterLock;
  /** `undefined` if it cannot be read, and another process has to repair it. */
  readonly database: IndexDatabase | undefined;
  readonly notes: readonly string[];
}

const INDEX_FILE = `index-${INDEX_VERSION}.db`;
export const LOCK_FILE = 'writer.lock';
const DAMAGED = `${INDEX_FILE}.damaged`;
const MOST_TRIES = 3;

export interface OpenIndexOptions {
  readonly open: OpenDatabase;
  readonly folder: string;
  readonly mostBytes: number;
}

/** `load` reads the whole database, and throws if it is damaged. */
export async function openIndex(
  options: OpenIndexOptions,
  load: (database: IndexDatabase) => void,
): Promise<Result<OpenIndex, string>> {
  const { open, folder } = options;
  let lock: WriterLock | undefined;
  try {
    await ensureOwn(folder);
    lock = new WriterLock(open, join(folder, LOCK_FILE));
    if (lock.take()) await removeOlder(folder);
    const opened = lock.isHeld ? await openAsWriter(options, load) : openAsReader(options, load);
    return ok({ lock, ...opened });
  } catch (thrown) {
    lock?.[Symbol.dispose]();
    return err(`the index cannot be kept in ${folder}: ${reasonOf(thrown)}`);
  }
}

/** The caller must hold the lock. */
export async function openAsWriter(
  options: OpenIndexOptions,
  load: (database: IndexDatabase) => void,
): Promise<Pick<OpenIndex, 'database' | 'notes'>> {
  const { folder } = options;
  try {
    return { database: prepared(options, load), notes: [] };
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    await moveOwn(folder, INDEX_FILE, DAMAGED);
    for (const ending of ['-wal', '-shm']) await removeOwn(folder, INDEX_FILE + ending);
    const note = `the index was damaged (${reasonOf(thrown)}) and is built again; the old one is ${DAMAGED}`;
    return { database: prepared(options, load), notes: [note] };
  }
}

/** Removes indexes of older versions, which are of no use any more. */
async function removeOlder(folder: string): Promise<void> {
  for (let version = 1; version < INDEX_VERSION; version += 1) {
    for (const ending of ['', '-wal', '-shm']) {
      await removeOwn(folder, `index-${version}.db${ending}`);
    }
  }
}

function prepared(
  { open, folder, mostBytes }: OpenIndexOptions,
  load: (database: IndexDatabase) => void,
): IndexDatabase {
  const database = new IndexDatabase(open, join(folder, INDEX_FILE));
  try {
    database.prepare(mostBytes);
    load(database);
    return database;
  } catch (thrown) {
    database[Symbol.dispose]();
    throw thrown;
  }
}

function openAsReader(
  { open, folder }: OpenIndexOptions,
  load: (database: IndexDatabase) => void,
): Pick<OpenIndex, 'database' | 'notes'> {
  const database = new IndexDatabase(open, join(folder, INDEX_FILE));
  for (let tries = 1; ; tries += 1) {
    try {
      // The writer may just be creating it.
      if (database.isPrepared) load(database);
      return { database, notes: [] };
    } catch (thrown) {
      // The writer may have removed a file that this process was about to open.
      if (thrown instanceof RangeError && tries < MOST_TRIES) continue;
      database[Symbol.dispose]();
      return { database: undefined, notes: [`the index cannot be read: ${reasonOf(thrown)}`] };
    }
  }
}

export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof RangeError) return true;
  // Packed data that cannot be unpacked.
  if (codeOf(thrown)?.startsWith('Z_') === true || thrown instanceof SyntaxError) return true;
  if (!isSqliteFailure(thrown)) return false;
  const { sqlite } = thrown.data;
  // A missing or different table is damage too, since no other program writes this file.
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT)/.test(sqlite);
}

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk, or the room that it may take, is full',
  SQLITE_READONLY: 'it may not be written',
  SQLITE_CANTOPEN: 'it cannot be opened',
};

export function reasonOf(thrown: unknown): string {
  const known = isSqliteFailure(thrown) ? REASONS[thrown.data.sqlite] : undefined;
  return known ?? messageOf(thrown).replaceAll(/\s+/g, ' ');
}
