// Opens files and folders below a root folder only. The path is resolved first, so that a FIFO or a device is never
// opened, and checked again by the open handle, so that replacing a folder by a link in between has no effect. The caller
// checks that the path is well formed.

import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, err, ok, type Result } from '../index.ts';
import {
  isOfKernel,
  isWithin,
  OPEN_FILE,
  OPEN_FOLDER,
  pathOfHandle,
  pathThrough,
} from './confinement.ts';

export type OpenProblem =
  | 'not-found'
  | 'outside'
  | 'special-file'
  | 'not-a-file'
  | 'not-a-folder'
  | 'unreadable'
  | 'root-gone';

export interface ConfinedPath {
  /** Without links. */
  readonly realPath: string;
  readonly stats: Stats;
}

export interface ConfinedHandle extends ConfinedPath {
  readonly handle: FileHandle;
}

/** `root` must be a real path. */
export async function findConfined(
  root: string,
  path: string,
): Promise<Result<ConfinedPath, OpenProblem>> {
  try {
    const realPath = await realpath(join(root, path));
    if (!isWithin(root, realPath)) return err('outside');
    const stats = await lstat(realPath);
    const isOrdinary = stats.isFile() || stats.isDirectory();
    if (!isOrdinary || isOfKernel(realPath)) return err('special-file');
    return ok({ realPath, stats });
  } catch (thrown) {
    return err(await openProblem(thrown, root));
  }
}

export interface OpenOptions {
  readonly kind: 'file' | 'folder';
  /** Runs after the path was checked, so that tests can change it at the worst moment. */
  readonly beforeOpen?: () => Promise<void>;
}

export async function openConfined(
  root: string,
  path: string,
  { kind, beforeOpen }: OpenOptions,
): Promise<Result<ConfinedHandle, OpenProblem>> {
  const found = await findConfined(root, path);
  if (!found.ok) return found;
  const { realPath, stats } = found.value;
  if (kind === 'file' && !stats.isFile()) return err('not-a-file');
  if (kind === 'folder' && !stats.isDirectory()) return err('not-a-folder');
  await beforeOpen?.();
  try {
    const handle = await open(realPath, kind === 'file' ? OPEN_FILE : OPEN_FOLDER);
    let isHandedOut = false;
    try {
      const verdict = await checkOpened(handle, root, { realPath, kind });
      if (!verdict.ok) return verdict;
      isHandedOut = true;
      return ok({ handle, realPath, stats: verdict.value });
    } finally {
      if (!isHandedOut) await handle.close();
    }
  } catch (thrown) {
    return err(await openProblem(thrown, root));
  }
}

async function checkOpened(
  handle: FileHandle,
  root: string,
  { realPath, kind }: { readonly realPath: string; readonly kind: 'file' | 'folder' },
): Promise<Result<Stats, OpenProblem>> {
  const stats = await handle.stat();
  if (kind === 'file' ? !stats.isFile() : !stats.isDirectory()) return err('special-file');
  const opened = await pathOfHandle(handle, realPath);
  return opened !== undefined && isWithin(root, opened) ? ok(stats) : err('outside');
}

/** The path under which an open folder is listed. */
export function pathOfFolder({ handle, realPath }: ConfinedHandle): string {
  return pathThrough(handle, realPath);
}

async function openProblem(thrown: unknown, root: string): Promise<OpenProblem> {
  switch (codeOf(thrown)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return (await isFolder(root)) ? 'not-found' : 'root-gone';
    case 'ELOOP':
      // Circular links, or a link that has just replaced the file.
      return 'outside';
    case 'ENXIO':
      return 'special-file';
    default:
      return 'unreadable';
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
