// A short text that identifies the content of a file and changes with it.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Of a larger one only the size is taken: programs of that size are no scripts, and reading them takes long. */
const MAX_READ = 16 * 1024 * 1024;

/** `undefined` if there is no file that can be read. */
export async function fileDigest(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    if (found.size > MAX_READ) return `size ${found.size}`;
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch {
    // Not there, or not for us to read: then it cannot be run either.
    return undefined;
  }
}

/** Whether a file is there, itself or behind a link; a folder is none. */
export async function isFileAt(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
