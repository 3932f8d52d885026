// Checks that all objects that git reads for a repository are in its own folder or in its working tree. Alternates and
// links can lead to objects of the user's other repositories, and git would quote any commit there whose id the tree
// contains.

import { join, resolve } from 'node:path';
import {
  entryKindNow,
  folderEntries,
  type FolderEntry,
  isWithin,
  readPlainBytes,
  realPathNow,
} from '../platform/index.ts';

export type ObjectsOwner = 'itself' | 'elsewhere' | 'borrowed';

const MOST_BYTES = 64 * 1024;
const MOST_ENTRIES = 100_000;
const MOST_FOLDERS = 16;

/** `within`: the real paths of the folders that may contain objects. */
export async function ownerOfObjects(
  objects: string,
  within: readonly string[],
): Promise<ObjectsOwner> {
  const folders = new Set([realPathNow(objects) ?? objects]);
  for (const folder of folders) {
    if (folders.size > MOST_FOLDERS) return 'borrowed';
    if (await hasLinks(folder)) return 'elsewhere';
    const alternates = await alternatesOf(folder);
    if (alternates === undefined) return 'borrowed';
    for (const path of alternates) {
      const real = realPathNow(path) ?? path;
      if (!within.some((top) => isWithin(top, real))) return 'borrowed';
      folders.add(real);
    }
  }
  return 'itself';
}

/** Also true if the folder cannot be read completely. Git itself makes no links among its objects. */
async function hasLinks(folder: string): Promise<boolean> {
  const folders = [folder];
  let count = 0;
  for (const next of folders) {
    const entries = await entriesOf(next, MOST_ENTRIES - count);
    if (entries === undefined || entries.some(({ kind }) => kind === 'link')) return true;
    count += entries.length;
    for (const { name, kind } of entries) if (kind === 'folder') folders.push(join(next, name));
  }
  return false;
}

/** `undefined` if the listing is not complete: git also finds files in a folder that cannot be listed. */
async function entriesOf(
  folder: string,
  limit: number,
): Promise<readonly FolderEntry[] | undefined> {
  try {
    const { entries, isCut } = await folderEntries(folder, limit);
    return isCut ? undefined : entries;
  } catch {
    // Git may just have removed it.
    return entryKindNow(folder, '') === 'folder' ? undefined : [];
  }
}

/** `undefined` if there is a line that cannot be parsed: git also accepts quoted paths, but writes none. */
async function alternatesOf(folder: string): Promise<readonly string[] | undefined> {
  if (entryKindNow(folder, 'info/alternates') === undefined) return [];
  const bytes = await readPlainBytes(join(folder, 'info/alternates'), MOST_BYTES);
  const lines = bytes
    ?.toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines === undefined || lines.some((line) => line.startsWith('"'))) return undefined;
  return lines.map((line) => resolve(folder, line));
}
