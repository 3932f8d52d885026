// Checks that a path is a plain file of the tree, without a link on the way to it. Synchronous, since a search checks every
// file that it reports.

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsNow } from './folder-entries.ts';

export class PlainFiles {
  readonly #root: string;
  readonly #folders = new Map<string, boolean>();

  /** Results for folders are cached: create one instance for each search. */
  constructor(root: string) {
    this.#root = root;
  }

  has(path: string): boolean {
    const whole = join(this.#root, path);
    const stats = statsNow(whole);
    return stats?.isFile() === true && this.#isPlainFolder(dirname(whole));
  }

  hasFolder(path: string): boolean {
    return this.#isPlainFolder(join(this.#root, path));
  }

  #isPlainFolder(folder: string): boolean {
    let isPlain = this.#folders.get(folder);
    if (isPlain === undefined) {
      isPlain = realPathNow(folder) === folder;
      this.#folders.set(folder, isPlain);
    }
    return isPlain;
  }
}

/** `undefined` if the path leads nowhere. */
export function realPathNow(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
