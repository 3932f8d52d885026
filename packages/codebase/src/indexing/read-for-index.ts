// One file as the index takes it: read inside of the root, cut, and its words found. What is binary or too large is
// known to the index without any chunks, so that it is not read again until it changes.

import { type Chunker, type ChunkedFile, languageOf } from '../chunk/index.ts';
import { fileFactsNow } from '../platform/index.ts';
import { contentHash, type Root } from '../scan/index.ts';
import {
  type FileFacts,
  type IndexedFile,
  SIGNATURE_DIGITS,
  type TouchedFile,
} from '../store/index.ts';
import type { Analyse } from './analyse.ts';

export type ReadFile =
  | { readonly kind: 'put'; readonly file: IndexedFile }
  /** Its content is what it was. */
  | { readonly kind: 'same'; readonly touch: TouchedFile }
  | { readonly kind: 'gone'; readonly path: string }
  /** Nothing can be said of it now, since the root itself is gone. */
  | { readonly kind: 'unknown' };

export interface ReadingParts {
  readonly root: Root;
  readonly chunker: Pick<Chunker, 'chunk'>;
  readonly analyse: Analyse;
}

/** What is larger is data, not code. */
const MOST_BYTES = 1024 * 1024;
/** Of the beginning of a file; a zero in it means that it is no text. */
const LOOKED_AT = 8192;
const NO_TRAITS = { isTest: false, isReexport: false, isGenerated: false, isDeclaration: false };

export async function readForIndex(
  parts: ReadingParts,
  { path, known }: { readonly path: string; readonly known: FileFacts | undefined },
  signal: AbortSignal,
): Promise<ReadFile> {
  const { root } = parts;
  // Before it is read: whatever changes from here on has another time.
  const facts = fileFactsNow(root.path, path);
  const content = await root.readBytes(path, MOST_BYTES);
  if (!content.ok) return content.error.code === 'root-gone' ? { kind: 'unknown' } : gone(path);
  if (facts === undefined) return gone(path);
  const { size, mtimeMs } = facts;
  const bytes = content.value;
  const hash = bytes === undefined ? `large-${size}-${mtimeMs}` : contentHash(bytes);
  if (known?.hash === hash) return { kind: 'same', touch: { path, size, mtimeMs } };
  const kept = { path, size, mtimeMs, hash };
  const language = languageOf(path) ?? 'text';
  if (bytes === undefined || bytes.subarray(0, LOOKED_AT).includes(0)) {
    return {
      kind: 'put',
      file: { ...kept, language, traits: NO_TRAITS, pathTerms: [], chunks: [] },
    };
  }
  const text = textOf(bytes);
  const chunked = await parts.chunker.chunk({ path, text }, signal);
  return { kind: 'put', file: { ...kept, ...indexed(parts.analyse, { path, text }, chunked) } };
}

/** The signatures of a file's chunks by their hashes; none where it cannot be read. */
export async function readSignatures(
  { root, chunker }: Pick<ReadingParts, 'root' | 'chunker'>,
  path: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const content = await root.readBytes(path, MOST_BYTES);
  if (!content.ok || content.value === undefined) return new Map();
  const { chunks } = await chunker.chunk({ path, text: textOf(content.value) }, signal);
  return new Map(chunks.map(({ signature }) => [signatureHash(signature), signature]));
}

function indexed(
  analyse: Analyse,
  { path, text }: { readonly path: string; readonly text: string },
  chunked: ChunkedFile,
): Pick<IndexedFile, 'language' | 'traits' | 'pathTerms' | 'chunks'> {
  const { pathTerms, traits, terms } = analyse({ path, text, ...chunked });
  const chunks = chunked.chunks.map((chunk, number) => ({
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    kind: chunk.kind,
    ...(chunk.symbol !== undefined && { symbol: chunk.symbol }),
    names: chunk.names,
    terms: terms[number] ?? [],
    signatureHash: signatureHash(chunk.signature),
  }));
  return { language: chunked.language, traits, pathTerms, chunks };
}

function signatureHash(signature: string): string {
  return contentHash(signature).slice(0, SIGNATURE_DIGITS);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function gone(path: string): ReadFile {
  return { kind: 'gone', path };
}
