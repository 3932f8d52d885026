// The files that we keep ourselves, all in one folder: written as a whole or not at all, listed, removed.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { codeOf } from '@plugboard/base';

export const DRAFT_ENDING = '.tmp';
/** With the number of the process that writes it. */
const DRAFT = /\.(\d{1,10})\.[0-9a-f]{12}\.tmp$/;
/** A number says little of a process in another container, and writing takes moments. */
const LEFT_AFTER_MS = 60_000;

/** The pieces one after another; also after a crash it is the old file or the new one. */
export function replaceFileNow(folder: string, name: string, pieces: readonly Uint8Array[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const chance = randomBytes(6).toString('hex');
  const draft = join(folder, `${name}.${process.pid}.${chance}${DRAFT_ENDING}`);
  let writtenAt: number;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      for (const piece of pieces) writeWhole(file, piece);
      fsyncSync(file);
      writtenAt = fstatSync(file).mtimeMs;
    } finally {
      closeSync(file);
    }
    renameSync(draft, join(folder, name));
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
  removeLeftDraftsNow(folder, writtenAt);
}

/** Those of processes that were killed while they wrote. What cannot be removed stays for another time. */
function removeLeftDraftsNow(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const writer = DRAFT.exec(name)?.[1];
    if (writer === undefined || isAlive(Number(writer))) continue;
    const path = join(folder, name);
    try {
      if (now - lstatSync(path).mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true });
    } catch {
      // Moved into place or removed just now.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}

/** Empty where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}

/** Nothing where it cannot be read. */
export async function readOwn(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

export async function removeOwn(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

/** Of the files directly in it; 0 where there is no such folder. */
export async function ownFolderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder)) {
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile() === true) bytes += stats.size;
  }
  return bytes;
}

export async function removeOwnFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** In place of what is called so already. */
export async function moveOwn(folder: string, from: string, to: string): Promise<void> {
  await rename(join(folder, from), join(folder, to));
}

export async function ensureOwn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Where this user's indexes belong, outside of every repository. */
export function userCacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (process.platform === 'win32') {
    const base =
      local !== undefined && isAbsolute(local) ? local : join(homedir(), 'AppData', 'Local');
    return join(base, 'plugboard', 'Cache', 'codebase');
  }
  // The specification has relative paths ignored.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.cache');
  return join(base, 'plugboard', 'codebase');
}
