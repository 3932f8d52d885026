// Reads one file for the index: reads it inside the root, cuts it, and finds its words. A binary or too large file is
// recorded without chunks, so that it is not read again until it changes.

import { ok, type Result } from '@plugboard/base';
import { type ChunkedFile, type FileToChunk, languageOf } from '../chunk/index.ts';
import { fileFactsNow, readConfinedNow } from '../platform/index.ts';
import {
  contentHash,
  decodeText,
  isBinaryText,
  type PathProblem,
  type Root,
} from '../scan/index.ts';
import { type IndexedFile, SIGNATURE_DIGITS, type TouchedFile } from '../store/index.ts';
import { type PackedSymbols, packSymbols } from '../symbols/index.ts';
import { letterTerms, NO_TRAITS, pathTerms, termsOf, traitsOf } from '../words/index.ts';

export type ReadFile =
  | {
      readonly kind: 'put';
      readonly file: IndexedFile;
      /** The signatures of its chunks by their hashes; empty unless requested. */
      readonly signatures: ReadonlyMap<string, string>;
      readonly symbols: PackedSymbols;
    }
  /** The content has not changed. */
  | { readonly kind: 'same'; readonly touch: TouchedFile }
  | { readonly kind: 'gone'; readonly path: string }
  /** The root itself is gone, so nothing is known about the file. */
  | { readonly kind: 'unknown' };

export interface ReadingParts {
  readonly root: Root;
  readonly chunk: (file: FileToChunk) => Promise<ChunkedFile>;
}

export interface FileRequest {
  readonly path: string;
  /** The hash in the index; a file with the same hash is not taken again. */
  readonly knownHash: string | undefined;
  /** Whether to return signatures too. */
  readonly wants: 'words' | 'signatures';
}

/** A larger file is data, not code. */
const MOST_BYTES = 1024 * 1024;
/** A file that fills this buffer is too large. */
const content = Buffer.allocUnsafe(MOST_BYTES + 1);

/** Prefixes of the hashes of files that are recorded without their text. */
const TOO_LARGE = 'large-';
const BINARY = 'binary-';

/** Why a file has no chunks, according to its hash; `undefined` for other files. */
export function whyLeftOut(hash: string): 'too-large' | 'binary' | undefined {
  if (hash.startsWith(TOO_LARGE)) return 'too-large';
  return hash.startsWith(BINARY) ? 'binary' : undefined;
}

export async function readForIndex(
  parts: ReadingParts,
  { path, knownHash, wants }: FileRequest,
): Promise<ReadFile> {
  const { root } = parts;
  // Before reading: a later change has another time.
  const facts = fileFactsNow(root.path, path);
  const read = await contentOf(root, path);
  if (!read.ok) return read.error.code === 'root-gone' ? { kind: 'unknown' } : gone(path);
  if (facts === undefined) return gone(path);
  const { size, mtimeMs } = facts;
  const bytes = read.value;
  const isBinary = bytes !== undefined && isBinaryText(bytes);
  const hash =
    bytes === undefined
      ? `${TOO_LARGE}${size}-${mtimeMs}`
      : `${isBinary ? BINARY : ''}${contentHash(bytes)}`;
  if (knownHash === hash) return { kind: 'same', touch: { path, size, mtimeMs } };
  const kept = { path, size, mtimeMs, hash };
  const language = languageOf(path) ?? 'text';
  if (bytes === undefined || isBinary) {
    return {
      kind: 'put',
      file: { ...kept, language, traits: NO_TRAITS, pathTerms: [], chunks: [] },
      signatures: new Map(),
      symbols: packSymbols([], new Map()),
    };
  }
  const text = decodeText(bytes);
  const chunked = await parts.chunk({ path, text });
  const signatures = wants === 'signatures' ? chunked.chunks.map(bySignature) : [];
  const file = { ...kept, ...indexed({ path, text }, chunked) };
  const symbols = packSymbols(chunked.definitions, chunked.uses);
  return { kind: 'put', file, signatures: new Map(signatures), symbols };
}

/** `undefined` if it is too large. The bytes are valid until the next file is read. */
async function contentOf(
  root: Root,
  path: string,
): Promise<Result<Uint8Array | undefined, PathProblem>> {
  // Synchronous: awaiting a file takes longer than reading it, and this process has no other work meanwhile.
  const found = fileFactsNow(root.path, path) && readConfinedNow(root.path, path, content);
  if (found?.kind === 'read') return ok(found.bytes);
  // If there is nothing to read, the slower way tells the reason.
  return found?.kind === 'too-large' ? ok(undefined) : root.readBytes(path, MOST_BYTES);
}

function indexed(
  { path, text }: { readonly path: string; readonly text: string },
  chunked: ChunkedFile,
): Pick<IndexedFile, 'language' | 'traits' | 'pathTerms' | 'chunks'> {
  const chunks = chunked.chunks.map((chunk) => ({
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    kind: chunk.kind,
    ...(chunk.symbol !== undefined && { symbol: chunk.symbol }),
    names: chunk.names,
    terms: [...termsOf(text.slice(chunk.start, chunk.end)), ...letterTerms(chunk.names)],
    signatureHash: signatureHash(chunk.signature),
  }));
  const { language } = chunked;
  const traits = traitsOf({ path, text, language });
  return { language, traits, pathTerms: pathTerms(path), chunks };
}

function bySignature({ signature }: { readonly signature: string }): [hash: string, text: string] {
  return [signatureHash(signature), signature];
}

function signatureHash(signature: string): string {
  return contentHash(signature).slice(0, SIGNATURE_DIGITS);
}

function gone(path: string): ReadFile {
  return { kind: 'gone', path };
}
