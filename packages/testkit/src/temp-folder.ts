// A temporary folder for one test, deleted when the test disposes of it. Paths are relative to it.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes a file, and the folders above it; returns its absolute path. */
  write(relative: string, text: string | Uint8Array): Promise<string>;
  read(relative: string): Promise<string>;
  /** Makes a folder, and those above it; returns its absolute path. */
  mkdir(relative: string): Promise<string>;
}

export async function tempFolder(): Promise<TempFolder> {
  // The real path, since a process reports its folder with links resolved.
  const path = await realpath(await mkdtemp(join(tmpdir(), 'plugboard-')));
  return {
    path,
    async write(relative, text) {
      const file = join(path, relative);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    read: (relative) => readFile(join(path, relative), 'utf8'),
    async mkdir(relative) {
      const folder = join(path, relative);
      await mkdir(folder, { recursive: true });
      return folder;
    },
    async [Symbol.asyncDispose]() {
      // Retries, since a process that is ending may still write into it.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
