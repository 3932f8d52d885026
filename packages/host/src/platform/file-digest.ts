// Identifies the content of a file by a short text.

import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Of a larger file, only the size is used: it is not a script, and reading it takes long. */
const MAX_READ = 16 * 1024 * 1024;

/** `undefined` if there is no readable file. */
export async function fileDigest(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    if (found.size > MAX_READ) return `size ${found.size}`;
    return hash('sha256', await readFile(path), 'hex');
  } catch {
    // Missing or unreadable: it cannot be run either.
    return undefined;
  }
}

/** Whether the path is a file, or a link to one. */
export async function isFileAt(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
