// Reads a text file that someone else wrote: bounded, never blocking on what is not a file, and with
// every way it can go wrong as a value. What the text means is the caller's business.

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { codeOf, err, ok, type Result } from '@plugboard/base';

export type FileProblem =
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly code: string }
  | {
      readonly kind: 'too-large';
      readonly path: string;
      /** At least so many; a file may grow while it is read. */
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly kind: 'not-text'; readonly path: string };

const CHUNK_BYTES = 64 * 1024;

export async function readTextFile(
  path: string,
  limits: { readonly maxBytes: number },
): Promise<Result<string, FileProblem>> {
  try {
    // Looked at before it is opened: opening a device can already do something.
    const refusal = refuse(path, await stat(path), limits.maxBytes);
    if (refusal !== undefined) return err(refusal);
    // Looked at again once it is open, since the path may lead elsewhere by now; without blocking,
    // since it may lead to a pipe that nobody writes.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return await readOpened(path, handle, limits.maxBytes);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    return err(classify(path, codeOf(thrown) ?? 'UNKNOWN'));
  }
}

async function readOpened(
  path: string,
  handle: FileHandle,
  limit: number,
): Promise<Result<string, FileProblem>> {
  const refusal = refuse(path, await handle.stat(), limit);
  if (refusal !== undefined) return err(refusal);
  const bytes = await readAtMost(handle, limit + 1);
  if (bytes.length > limit) return err({ kind: 'too-large', path, bytes: bytes.length, limit });
  const text = decode(bytes);
  return text === undefined ? err({ kind: 'not-text', path }) : ok(text);
}

interface Looks {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
}

function refuse(path: string, looks: Looks, limit: number): FileProblem | undefined {
  if (looks.isDirectory()) return { kind: 'folder', path };
  if (!looks.isFile()) return { kind: 'unreadable', path, code: 'NOT_A_FILE' };
  if (looks.size > limit) return { kind: 'too-large', path, bytes: looks.size, limit };
  return undefined;
}

async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  while (left > 0) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}

/** `undefined` when the bytes are no UTF-8 text. A byte order mark is left out. */
function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder has only one complaint: not UTF-8.
    return undefined;
  }
}

function classify(path: string, code: string): FileProblem {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'missing', path };
    case 'EISDIR':
      return { kind: 'folder', path };
    default:
      return { kind: 'unreadable', path, code };
  }
}
