// Lists a folder with the kinds of its entries, and checks that a path stays in a folder when links are followed.

import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { isWithin } from '@plugboard/base/platform';

export interface FolderItem {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

const MAX_ITEMS = 1000;

/** Sorted by name; empty if the folder cannot be read. */
export async function listFolder(folder: string): Promise<readonly FolderItem[]> {
  const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return items
    .map((item) => ({ name: item.name, kind: kindOf(item) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_ITEMS);
}

function kindOf(item: Dirent): FolderItem['kind'] {
  if (item.isDirectory()) return 'folder';
  return item.isFile() ? 'file' : 'other';
}

/** True also for what does not exist: nothing can be read there. */
export async function staysInside(folder: string, path: string): Promise<boolean> {
  try {
    return isWithin(await realpath(folder), await realpath(path));
  } catch {
    // Reading the path will report the reason.
    return isWithin(folder, path);
  }
}
