// Append-only files of lines that only their user can read. A line is written in one piece, so that a crash damages only
// the last one.

import { appendFile, chmod, lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@plugboard/base';

export interface LinesFile {
  readonly name: string;
  readonly path: string;
  readonly changedAt: number;
  readonly bytes: number;
}

/** Returns the error code of a failure. */
export async function appendLines(path: string, lines: string): Promise<string | undefined> {
  try {
    await appendFile(path, lines, { mode: 0o600 });
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) ?? 'UNKNOWN';
  }
}

/** Creates a new file in a folder that no other user can enter. */
export async function beginLines(folder: string, path: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory()) return 'ENOTDIR';
    if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
    await (await open(path, 'a', 0o600)).close();
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) ?? 'UNKNOWN';
  }
}

/** `undefined` if it cannot be read or is longer than it may be. */
export async function readLines(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    return await readFile(path, 'utf8');
  } catch {
    // Missing or unreadable.
    return undefined;
  }
}

/** The first bytes of a file; empty if it cannot be read. */
export async function readBeginning(path: string, bytes: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    // Removed since it was listed.
    return '';
  }
}

/** The files of a folder whose names have this ending; empty if it cannot be read. Links are left out. */
export async function linesFiles(folder: string, ending: string): Promise<readonly LinesFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith(ending)).map((name) => fileOf(folder, name)),
  );
  return found.filter((file) => file !== undefined);
}

/** The folders in a folder; empty if it cannot be read. Links are left out. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

async function fileOf(folder: string, name: string): Promise<LinesFile | undefined> {
  const path = join(folder, name);
  try {
    const found = await lstat(path);
    if (!found.isFile()) return undefined;
    return { name, path, changedAt: found.mtimeMs, bytes: found.size };
  } catch {
    // Removed since the folder was read.
    return undefined;
  }
}

export async function removeLines(path: string): Promise<void> {
  // Another process may remove the same file at the same time.
  await rm(path, { force: true }).catch(() => {});
}
