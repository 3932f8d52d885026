// Compares two listings by the size, time and inode of each file. Pure. A file reported as changed may have the same
// content as before; only its hash tells.

import type { ListedFile } from './list-files.ts';

export interface TreeDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function coldDifference(
  before: ReadonlyMap<string, Omit<ListedFile, 'path'>>,
  after: Iterable<ListedFile>,
): TreeDifference {
  const added: string[] = [];
  const changed: string[] = [];
  const gone = new Set(before.keys());
  for (const file of after) {
    const known = before.get(file.path);
    gone.delete(file.path);
    if (known === undefined) added.push(file.path);
    else if (!isSameFile(known, file)) changed.push(file.path);
  }
  return { added, changed, removed: [...gone] };
}

export function isSameFile(a: Omit<ListedFile, 'path'>, b: Omit<ListedFile, 'path'>): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}
