// A file that only its user can read, written piece by piece into a folder that no other user can enter.
// After a failure no partial file is left behind. The caller limits how much is written.

import { chmod, type FileHandle, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import { OPEN_FILE } from '@plugboard/base/platform';
import { isOwn } from './own-files.ts';

export type PrivateFileProblem =
  | { readonly kind: 'unwritable'; readonly code: string }
  | { readonly kind: 'too-large' };

/** Returns the number of bytes. Calls `claim` before each piece. The file must not exist. */
export async function writePrivateFile(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  claim: (bytes: number) => boolean,
): Promise<Result<number, PrivateFileProblem>> {
  try {
    await ensurePrivateFolder(dirname(path));
    return await write(path, pieces, claim);
  } catch (thrown) {
    return err({ kind: 'unwritable', code: codeOf(thrown) ?? 'UNKNOWN' });
  }
}

async function write(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  claim: (bytes: number) => boolean,
): Promise<Result<number, PrivateFileProblem>> {
  const handle = await open(path, 'wx', 0o600);
  let written = 0;
  let isWhole = false;
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      if (!claim(bytes.length)) return err({ kind: 'too-large' });
      await handle.writeFile(bytes);
      written += bytes.length;
    }
    isWhole = true;
    return ok(written);
  } finally {
    await handle.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

/** Removes the permissions of other users; a link or another user's folder is not used. */
async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory() || !isOwn(found)) {
    throw Object.assign(new Error(`${path} is not a folder of this user`), { code: 'EACCES' });
  }
  // Windows has no such modes; there, the folder is inside the user's own.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

const SNIFFED_BYTES = 8192;

export type PrivateText =
  /** Stopping early closes the file. */
  | { readonly kind: 'text'; readonly pieces: AsyncIterable<string> }
  | { readonly kind: 'binary' }
  /** The file is missing, or was replaced by something else. */
  | { readonly kind: 'gone' };

/**
 * The text of a file that `writePrivateFile` wrote. Rejects, without reading it, a link, a hard link to another file,
 * another user's file, and a file of another size.
 */
export async function openPrivateText(path: string, bytes: number): Promise<PrivateText> {
  const handle = await openOwn(path, bytes);
  if (handle === undefined) return { kind: 'gone' };
  try {
    const head = Buffer.alloc(Math.min(SNIFFED_BYTES, bytes));
    await handle.read(head, 0, head.length, 0);
    if (isText(head)) {
      const options = { encoding: 'utf8', start: 0, highWaterMark: 256 * 1024 } as const;
      return { kind: 'text', pieces: handle.createReadStream(options) };
    }
  } catch {
    await handle.close();
    return { kind: 'gone' };
  }
  await handle.close();
  return { kind: 'binary' };
}

async function openOwn(path: string, bytes: number): Promise<FileHandle | undefined> {
  let handle: FileHandle | undefined;
  try {
    const folder = await lstat(dirname(path));
    const named = await lstat(path);
    if (!folder.isDirectory() || !isOwn(folder) || !named.isFile()) return undefined;
    handle = await open(path, OPEN_FILE);
    const found = await handle.stat();
    const isOurs = found.isFile() && isOwn(found) && found.nlink === 1 && found.size === bytes;
    if (isOurs) return handle;
  } catch {
    // Missing or unreadable.
  }
  await handle?.close();
  return undefined;
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  // The last character may be incomplete.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    decoder.decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
