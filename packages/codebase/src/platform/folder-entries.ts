// What lies directly in a folder, as the folder itself says; bounded, since a folder can hold millions.

import { lstatSync, type Stats } from 'node:fs';
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
    const kind = entry.isFile()
      ? 'file'
      : entry.isDirectory()
        ? 'folder'
        : entry.isSymbolicLink()
          ? 'link'
          : 'special';
    entries.push({ name: entry.name, kind });
  }
  return { entries, isCut: false };
}

/** Of the entry itself, never of what a link leads to; `undefined` if it is gone. */
export async function entryFacts(folder: string, name: string): Promise<EntryFacts | undefined> {
  try {
    const { size, mtimeMs, ino } = await lstat(join(folder, name));
    return { size, mtimeMs, ino };
  } catch {
    return undefined;
  }
}

/**
 * `undefined` for what is gone and for what is not a plain file. Not waiting for each is an order of magnitude quicker,
 * which counts where there are fifty thousand; callers ask in portions, so that nothing else stands still for long. The
 * time is that of the last change of the content or of the entry: archives and synchronisation set the time of the
 * content back.
 */
export function fileFactsNow(root: string, path: string): EntryFacts | undefined {
  const stats = statsNow(join(root, path));
  if (stats === undefined || !stats.isFile()) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { size, mtimeMs: Math.max(mtimeMs, ctimeMs), ino };
}

/** Of the entry itself, never of what a link leads to, which is `other`; `undefined` if it is gone. */
export function entryKindNow(root: string, path: string): 'file' | 'folder' | 'other' | undefined {
  const stats = statsNow(join(root, path));
  if (stats === undefined) return undefined;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
}

/** Of the entry itself; `undefined` if it is gone, also because a file took the place of a folder above it. */
export function statsNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
