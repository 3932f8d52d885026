// Reads a plain file, and replaces it unless it has changed since it was read. Links are not followed.

import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, err, ok, type Result } from '../index.ts';
import { OPEN_FILE } from './confinement.ts';
import { replaceFile } from './replace-file.ts';

export type FileProblem = 'not-a-file' | 'special-file' | 'too-large' | 'changed';

export interface FileNow {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

export interface ReplaceOptions {
  /** The content when it was read; `undefined` if there was no file. */
  readonly expected: FileNow | undefined;
  readonly seams?: WriteSeams | undefined;
}

/** Lets tests simulate a full disk and a concurrent writer. */
export interface WriteSeams {
  readonly write?: (file: FileHandle, bytes: Uint8Array) => Promise<void>;
  readonly beforeRename?: () => Promise<void>;
}

/** `undefined` if there is no such file. Throws the error of the system if it cannot be read. */
export async function readFileAt(
  path: string,
  maxBytes: number,
): Promise<Result<FileNow | undefined, FileProblem>> {
  const kind = await kindOf(path);
  // Checked first, since opening a pipe or a device can have an effect.
  if (kind !== 'file') return kind === 'nothing' ? ok(undefined) : err(kind);
  try {
    await using file = await open(path, OPEN_FILE);
    const stats = await file.stat();
    if (!stats.isFile()) return err('special-file');
    if (stats.size > maxBytes) return err('too-large');
    const bytes = await file.readFile();
    return bytes.length > maxBytes ? err('too-large') : ok({ bytes, stats });
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return ok(undefined);
    if (codeOf(thrown) === 'ELOOP') return err('changed');
    throw thrown;
  }
}

export async function replaceFileAt(
  folder: string,
  name: string,
  { bytes, expected, seams = {} }: ReplaceOptions & { readonly bytes: Uint8Array },
): Promise<Result<void, FileProblem>> {
  const outcome = await replaceFile(folder, name, {
    existing: expected?.stats,
    write: (draft) => (seams.write ?? writeAll)(draft, bytes),
    isWanted: async () => {
      await seams.beforeRename?.();
      const now = await readFileAt(join(folder, name), expected?.bytes.length ?? 0);
      return now.ok && isSame(now.value, expected);
    },
  });
  return outcome === 'replaced' ? ok(undefined) : err('changed');
}

/** Removes it, unless it has changed since it was read. */
export async function removeFileAt(
  path: string,
  expected: FileNow,
): Promise<Result<void, FileProblem>> {
  const now = await readFileAt(path, expected.bytes.length);
  if (!now.ok || !isSame(now.value, expected)) return err('changed');
  await unlink(path);
  return ok(undefined);
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await file.writeFile(bytes);
}

function isSame(now: FileNow | undefined, expected: FileNow | undefined): boolean {
  if (now === undefined || expected === undefined) return now === expected;
  return Buffer.compare(now.bytes, expected.bytes) === 0;
}

async function kindOf(
  path: string,
): Promise<'nothing' | 'file' | 'not-a-file' | 'special-file' | 'changed'> {
  try {
    const stats = await lstat(path);
    if (stats.isFile()) return 'file';
    if (stats.isSymbolicLink()) return 'changed';
    return stats.isDirectory() ? 'not-a-file' : 'special-file';
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return 'nothing';
    throw thrown;
  }
}
