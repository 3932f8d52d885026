// The rules of every confined access: which paths are inside a folder, which belong to the kernel, how to open files
// without following links, and how to find the path of an open file.

import { constants } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/**
 * For reading, without following a link as the last step and without waiting for the other end of a pipe. Windows has
 * neither flag.
 */
export const OPEN_FILE =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const OPEN_FOLDER = OPEN_FILE | (constants.O_DIRECTORY ?? 0);

const IS_LINUX = process.platform === 'linux';
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** Whether a path is inside a folder or the folder itself. Compares the text of the paths; links are not resolved. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether the kernel provides the path: reading it can block, have an effect or reveal secrets. */
export function isOfKernel(path: string): boolean {
  return IS_LINUX && KERNEL_FOLDERS.some((folder) => isWithin(folder, path));
}

/** The real path of a folder; `undefined` if it is not a folder, is not accessible, or belongs to the kernel. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() && !isOfKernel(real) ? real : undefined;
  } catch {
    // Missing or not accessible.
    return undefined;
  }
}

/**
 * A path to an open folder that is independent of its name, so that replacing the folder has no effect. Only on Linux;
 * elsewhere it is the path by which the folder was opened.
 */
export function pathThrough(handle: FileHandle, path: string): string {
  return IS_LINUX ? `/proc/self/fd/${handle.fd}` : path;
}

/** The current path of an open file. Without Linux's help, the original path must still lead to the same file. */
export async function pathOfHandle(handle: FileHandle, path: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const [own, there] = await Promise.all([handle.stat(), lstat(path)]);
    return own.dev === there.dev && own.ino === there.ino ? realpath(path) : undefined;
  }
}
