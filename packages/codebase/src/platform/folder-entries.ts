// Lists the entries of a folder, and reads the facts of single entries. Listings are bounded, since a folder can hold
// millions of entries.

import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

export type EntryKind = 'file' | 'folder' | 'link' | 'special';

export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface EntryFacts {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

export async function folderEntries(
  folder: string,
  limit: number,
): Promise<{ readonly entries: readonly FolderEntry[]; readonly isCut: boolean }> {
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    if (entries.length >= limit) return { entries, isCut: true };
    entries.push({ name: entry.name, kind: kindOf(entry) });
  }
  return { entries, isCut: false };
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** The facts of the entry itself, not of a link's target; `undefined` if it is gone. */
export async function entryFacts(folder: string, name: string): Promise<EntryFacts | undefined> {
  try {
    const { size, mtimeMs, ino } = await lstat(join(folder, name));
    return { size, mtimeMs, ino };
  } catch {
    return undefined;
  }
}

/**
 * The facts of a plain file; `undefined` for anything else. Synchronous calls are an order of magnitude quicker, which
 * matters for fifty thousand files; callers read in portions, so that nothing else is blocked for long. The time is that
 * of the last change of the content or of the entry, since archives and synchronisation set the time of the content back.
 */
export function fileFactsNow(root: string, path: string): EntryFacts | undefined {
  const stats = statsNow(join(root, path));
  if (stats === undefined || !stats.isFile()) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { size, mtimeMs: Math.max(mtimeMs, ctimeMs), ino };
}

/** The kind of the entry itself; a link is `other`. `undefined` if it is gone. */
export function entryKindNow(root: string, path: string): 'file' | 'folder' | 'other' | undefined {
  const stats = statsNow(join(root, path));
  if (stats === undefined) return undefined;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
}

/** `undefined` if the entry is gone, also if a file has replaced a folder above it. */
export function statsNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
