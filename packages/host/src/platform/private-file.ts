// A file that its user alone can read, written piece by piece into a folder that nobody else can enter.
// Whatever goes wrong, no half of a file is left behind. How much may be written is the caller's business.

import type { Stats } from 'node:fs';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';

export type PrivateFileProblem =
  | { readonly kind: 'unwritable'; readonly code: string }
  | { readonly kind: 'too-large' };

/** How many bytes were written. `claim` is asked before each piece. There must be no file of that name. */
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

/** One that others could enter is closed to them; one that is a link or somebody else's is not used. */
async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory() || !isOwn(found)) {
    throw Object.assign(new Error(`${path} is no folder of this user`), { code: 'EACCES' });
  }
  // Windows has no such modes; there the folder is below the user's own.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** The text of a file in pieces; whoever stops early closes it. Rejects where it cannot be read. */
export function textPieces(path: string): AsyncIterable<string> {
  return createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 });
}
