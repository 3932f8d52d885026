// Walks from a folder towards the root, to find the project that a folder belongs to. The caller says what marks the
// top of a project.

import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** From `start` up to the first folder that is a top, nearest first. Only `start` if none is. */
export async function foldersUpTo(
  start: string,
  isTop: (folder: string) => Promise<boolean>,
): Promise<string[]> {
  const folders = [resolve(start)];
  for (let folder = resolve(start); !(await isTop(folder)); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [resolve(start)];
    folders.push(dirname(folder));
  }
  return folders;
}

/** Whether the path exists; a dangling link does not. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // Whatever the reason, it cannot be used.
    return false;
  }
}
