// Writes, reads, lists and removes the program's own files. A file is written as a whole or not at all.

import { lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, delay, never, systemClock } from '@plugboard/base';
import { ownHome, replaceFile, userPaths } from '@plugboard/base/platform';

/** Writes the pieces one after another; after a crash there is either the old file or the new one. */
export async function replaceOwn(
  folder: string,
  name: string,
  pieces: readonly Uint8Array[],
): Promise<void> {
  await ensureOwn(folder);
  await replaceFile(folder, name, {
    mode: 0o600,
    async write(draft) {
      for (const piece of pieces) await draft.writeFile(piece);
    },
  });
}

/** Empty if there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}

/**
 * `undefined` if it cannot be read, or is not a file: reading a pipe would never end, and keep the process alive.
 */
export async function readOwn(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name);
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` if it is not a plain file, or has more than `mostBytes`. */
export async function readPlainBytes(path: string, mostBytes: number): Promise<Buffer | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= mostBytes ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}

export async function removeOwn(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

/** The size of the files directly in the folder; 0 if there is no such folder. */
export async function ownFolderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder)) {
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile() === true) bytes += stats.size;
  }
  return bytes;
}

const REMOVE_RETRY_MS = 50;
const MOST_REMOVE_TRIES = 200;

/**
 * Tries again for seconds if the folder is not empty after its files were removed, since programs that a killed one
 * started can still write into it. Any other failure is final: the retries of `rm` itself would multiply with the depth.
 */
export async function removeOwnFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOTEMPTY' || tries === MOST_REMOVE_TRIES) throw thrown;
    }
    await delay(REMOVE_RETRY_MS, systemClock, never);
  }
}

/** Replaces `to`. */
export async function moveOwn(folder: string, from: string, to: string): Promise<void> {
  await rename(join(folder, from), join(folder, to));
}

export async function ensureOwn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The folder for this user's indexes, outside of every repository. */
export function userCacheFolder(): string {
  return join(userPaths(process.env, process.platform, ownHome()).cache, 'codebase');
}
