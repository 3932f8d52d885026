// The files that we keep ourselves, all in one folder: written as a whole or not at all, listed, removed.

import { lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownHome, replaceFile, userPaths } from '@plugboard/base/platform';

/** The pieces one after another; even after a crash it is the old file or the new one. */
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

/** Empty where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}

/**
 * `undefined` if it cannot be read, or is no file: a pipe would be waited for without an end, and with it the process.
 */
export async function readOwn(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name);
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` if it is not a plain file, or has more bytes than that. */
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

/** Of the files directly in it; 0 where there is no such folder. */
export async function ownFolderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder)) {
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile() === true) bytes += stats.size;
  }
  return bytes;
}

export async function removeOwnFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** In place of what is called so already. */
export async function moveOwn(folder: string, from: string, to: string): Promise<void> {
  await rename(join(folder, from), join(folder, to));
}

export async function ensureOwn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Where this user's indexes belong, outside of every repository. */
export function userCacheFolder(): string {
  return join(userPaths(process.env, process.platform, ownHome()).cache, 'codebase');
}
