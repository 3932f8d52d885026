// Reads a plain file and replaces it by a new one: a reader sees the old bytes or the new, also after a crash. Links are
// not followed here. What no longer is as its editor saw it is left alone.

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import { draftName, removeOldDrafts } from '@plugboard/host/processes';

export type FileProblem = 'not-a-file' | 'special-file' | 'too-large' | 'changed';

export interface FileNow {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

export interface ReplaceOptions {
  /** What was read of it; nothing where there was no file. */
  readonly expected: FileNow | undefined;
  readonly seams?: WriteSeams | undefined;
}

/** Lets tests simulate a full disk and a concurrent writer. */
export interface WriteSeams {
  readonly write?: (file: FileHandle, bytes: Uint8Array) => Promise<void>;
  readonly beforeRename?: () => Promise<void>;
}

const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** Nothing where there is no such file. Throws what the system says where it cannot be read. */
export async function readFileAt(
  path: string,
  maxBytes: number,
): Promise<Result<FileNow | undefined, FileProblem>> {
  const kind = await kindOf(path);
  // Looked at first: to open a pipe or a device can itself do something.
  if (kind !== 'file') return kind === 'nothing' ? ok(undefined) : err(kind);
  try {
    await using file = await open(path, constants.O_RDONLY | NO_FOLLOW);
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
  at: (name: string) => string,
  name: string,
  { bytes, expected, seams = {} }: ReplaceOptions & { readonly bytes: Uint8Array },
): Promise<Result<void, FileProblem>> {
  const draft = at(draftName());
  // Until it has its final mode, other users may not read it, unless the file is new and gets the default mode anyway.
  const file = await open(draft, NEW_FILE, expected === undefined ? 0o666 : 0o600);
  let isPlaced = false;
  let writtenAt = 0;
  try {
    try {
      if (expected !== undefined) await takeOver(file, expected.stats);
      await (seams.write ?? writeAll)(file, bytes);
      await file.sync();
      writtenAt = (await file.stat()).mtimeMs;
    } finally {
      await file.close();
    }
    await seams.beforeRename?.();
    const now = await readFileAt(at(name), expected?.bytes.length ?? 0);
    if (!now.ok || !isSame(now.value, expected)) return err('changed');
    await rename(draft, at(name));
    isPlaced = true;
    await removeOldDrafts(at('.'), writtenAt);
    return ok(undefined);
  } finally {
    if (!isPlaced) await rm(draft, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await file.writeFile(bytes);
}

/** The mode and the owner of the file that it replaces. */
async function takeOver(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (thrown) {
      // Only the administrator may give files away; for others the new owner is right.
      if (codeOf(thrown) !== 'EPERM') throw thrown;
    }
  }
  await file.chmod(mode & 0o7777);
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
