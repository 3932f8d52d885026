// The index folders of a user: the folder of each tree, when it was last used, and which ones to remove. A folder that a
// process has open is never touched, nor is a folder that is not an index.

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { type Clock, isObject } from '@plugboard/base';
import {
  namesIn,
  type OpenDatabase,
  ownFolderBytes,
  readOwn,
  removeOwnFolder,
  replaceOwn,
} from '../platform/index.ts';
import { LOCK_FILE } from './embedded/open-index.ts';
import { WriterLock } from './embedded/writer-lock.ts';

export interface SweepOptions {
  /** The parent of all index folders. */
  readonly base: string;
  readonly clock: Clock;
  readonly open: OpenDatabase;
  readonly mostAgeMs?: number;
  /** The most bytes of all folders together. */
  readonly mostBytes?: number;
}

interface FoundIndex {
  readonly folder: string;
  readonly usedAt: number;
  readonly bytes: number;
}

const MARK = 'used.json';
const MOST_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MOST_BYTES = 4 * 1024 ** 3;

/** The folder has a name that people recognise, and is different for every tree. */
export function indexFolder(base: string, root: string): string {
  const name =
    basename(root)
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, 40) || 'root';
  return join(base, `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

/** Throws if the folder cannot be written. */
export async function markUsed(folder: string, root: string, clock: Clock): Promise<void> {
  const mark = JSON.stringify({ root, usedAt: clock.now() });
  await replaceOwn(folder, MARK, [Buffer.from(mark)]);
}

/** Removes folders that were unused for long, and the longest unused while all are too large. Returns the removed ones. */
export async function sweepIndexes(options: SweepOptions): Promise<readonly string[]> {
  const { base, clock, mostAgeMs = MOST_AGE_MS, mostBytes = MOST_BYTES } = options;
  const found = await indexesIn(base);
  const candidates = toSweep(found, { oldest: clock.now() - mostAgeMs, mostBytes });
  const removed: string[] = [];
  for (const { folder } of candidates) {
    if (await removeUnlessOpen(options.open, folder)) removed.push(folder);
  }
  return removed;
}

/** Pure. */
export function toSweep<T extends Omit<FoundIndex, 'folder'>>(
  found: readonly T[],
  bounds: { readonly oldest: number; readonly mostBytes: number },
): readonly T[] {
  let bytes = 0;
  return found
    .toSorted((a, b) => b.usedAt - a.usedAt)
    .filter((index) => {
      bytes += index.bytes;
      return index.usedAt < bounds.oldest || bytes > bounds.mostBytes;
    });
}

async function indexesIn(base: string): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  for (const name of await namesIn(base)) {
    const folder = join(base, name);
    const usedAt = usedAtIn(await readOwn(folder, MARK));
    if (usedAt !== undefined) found.push({ folder, usedAt, bytes: await ownFolderBytes(folder) });
  }
  return found;
}

function usedAtIn(mark: string | undefined): number | undefined {
  if (mark === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(mark);
    return isObject(value) && typeof value['usedAt'] === 'number' ? value['usedAt'] : undefined;
  } catch {
    // Not an index, or incomplete: it is left alone.
    return undefined;
  }
}

async function removeUnlessOpen(open: OpenDatabase, folder: string): Promise<boolean> {
  try {
    using lock = new WriterLock(open, join(folder, LOCK_FILE));
    if (!lock.take()) return false;
    await removeOwnFolder(folder);
    return true;
  } catch {
    // It is tried again the next time.
    return false;
  }
}
