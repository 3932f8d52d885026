// Reads a text file from an untrusted source: limits its size, never blocks on special files, and returns every failure
// as a value.

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { codeOf, decodeUtf8, err, ok, type Result } from '@plugboard/base';

export type FileProblem =
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly code: string }
  | {
      readonly kind: 'too-large';
      readonly path: string;
      /** A lower bound, since a file may grow while it is read. */
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly kind: 'not-text'; readonly path: string };

export interface ReadOptions {
  readonly maxBytes: number;
  /** Removed from the text, by default. */
  readonly byteOrderMark?: 'keep';
}

const CHUNK_BYTES = 64 * 1024;

export async function readTextFile(
  path: string,
  options: ReadOptions,
): Promise<Result<string, FileProblem>> {
  try {
    // Checked before it is opened, since opening a device can have an effect.
    const refusal = refuse(path, await stat(path), options.maxBytes);
    if (refusal !== undefined) return err(refusal);
    // Checked again once it is open, since the path may lead elsewhere by now. Opened without blocking, since it may be a
    // pipe without a writer.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return await readOpened(path, handle, options);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    return err(classify(path, codeOf(thrown) ?? 'UNKNOWN'));
  }
}

/** Leaves the file open. */
export async function readOpened(
  path: string,
  handle: FileHandle,
  { maxBytes: limit, byteOrderMark }: ReadOptions,
): Promise<Result<string, FileProblem>> {
  const refusal = refuse(path, await handle.stat(), limit);
  if (refusal !== undefined) return err(refusal);
  const bytes = await readAtMost(handle, limit + 1);
  if (bytes.length > limit) return err({ kind: 'too-large', path, bytes: bytes.length, limit });
  const text = bytes.includes(0) ? undefined : decodeUtf8(bytes, { byteOrderMark });
  return text === undefined ? err({ kind: 'not-text', path }) : ok(text);
}

interface FileStats {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
}

function refuse(path: string, stats: FileStats, limit: number): FileProblem | undefined {
  if (stats.isDirectory()) return { kind: 'folder', path };
  if (!stats.isFile()) return { kind: 'unreadable', path, code: 'NOT_A_FILE' };
  if (stats.size > limit) return { kind: 'too-large', path, bytes: stats.size, limit };
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

/** The problem for an error code of the system. */
export function classify(path: string, code: string): FileProblem {
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
