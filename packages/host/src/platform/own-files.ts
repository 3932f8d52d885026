// The files of a folder that this user wrote. A folder below the shared temporary one can hold files of any
// user; those of other users, and links, are left out.

import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface OwnFile {
  readonly name: string;
  readonly path: string;
  readonly changedAt: number;
}

const MAX_FILES = 1000;

/** Sorted by name; empty if the folder cannot be read. */
export async function ownFiles(folder: string): Promise<readonly OwnFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = await Promise.all(
    names
      .toSorted()
      .slice(0, MAX_FILES)
      .map((name) => ownFile(name, join(folder, name))),
  );
  return files.filter((file) => file !== undefined);
}

async function ownFile(name: string, path: string): Promise<OwnFile | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() && isOwn(found) ? { name, path, changedAt: found.mtimeMs } : undefined;
  } catch {
    // Removed since it was listed, or unreadable.
    return undefined;
  }
}

/** Windows has no user ids; there, other users cannot enter a user's folders. */
export function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
