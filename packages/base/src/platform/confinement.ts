// The rules that every confined access shares: what lies inside a folder, what belongs to the kernel, how files are
// opened without following links, and where something that is open really lies.

import { constants } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/**
 * For reading, without following a link as the last step and without waiting for the other end of a pipe. Windows knows
 * neither flag.
 */
export const OPEN_FILE =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const OPEN_FOLDER = OPEN_FILE | (constants.O_DIRECTORY ?? 0);

const IS_LINUX = process.platform === 'linux';
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** Whether a path lies in a folder or is it; both as they are written, without links. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What the kernel shows as files: reading it can block, change things or tell secrets. */
export function isOfKernel(path: string): boolean {
  return IS_LINUX && KERNEL_FOLDERS.some((folder) => isWithin(folder, path));
}

/** The folder without links on the way; `undefined` if it is not a folder, cannot be reached, or is the kernel's. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() && !isOfKernel(real) ? real : undefined;
  } catch {
    // Not there, or not ours to look at: there is nothing to work in either way.
    return undefined;
  }
}

/**
 * A path to an open folder that does not look it up again, so that a folder that takes its place gains nothing. Only
 * Linux has one; elsewhere it is the path by which the folder was opened.
 */
export function pathThrough(handle: FileHandle, path: string): string {
  return IS_LINUX ? `/proc/self/fd/${handle.fd}` : path;
}

/** Where it lies now. Linux says so; elsewhere the path must still lead to the very thing that was opened. */
export async function pathOfHandle(handle: FileHandle, path: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const [own, there] = await Promise.all([handle.stat(), lstat(path)]);
    return own.dev === there.dev && own.ino === there.ino ? realpath(path) : undefined;
  }
}
