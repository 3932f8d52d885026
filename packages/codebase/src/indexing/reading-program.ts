// The program that reads files for the index beside the server: whatever makes garbage stays in it. It holds the
// parsers, and answers with words as one text for each chunk, which is quicker to hand over than a list.

import { systemClock } from '@plugboard/base';
import { chunkText, MOST_PARSE_MS, Parsers, type Way } from '../chunk/index.ts';
import { serveJobs } from '../platform/index.ts';
import { Root } from '../scan/index.ts';
import type { IndexedChunk, IndexedFile } from '../store/index.ts';
import {
  type ReadFile,
  readForIndex,
  type ReadingParts,
  readSignatures,
} from './read-for-index.ts';

export interface ReadingJob {
  readonly kind: 'file' | 'signatures';
  readonly root: string;
  readonly path: string;
  readonly knownHash: string | undefined;
  /** How it is cut. */
  readonly way: Way;
}

/** Terms never hold a space. */
export interface HandedFile extends Omit<IndexedFile, 'chunks'> {
  readonly chunks: readonly (Omit<IndexedChunk, 'terms'> & { readonly terms: string })[];
}

export type HandedOver =
  | Exclude<ReadFile, { readonly kind: 'put' }>
  | { readonly kind: 'put'; readonly file: HandedFile }
  | { readonly kind: 'signatures'; readonly byHash: ReadonlyMap<string, string> };

/** Opened once: whether it is still there is asked anew for every file. */
let known: Root | undefined;
const parsers = new Parsers({ clock: systemClock, mostMs: MOST_PARSE_MS });

// The pool of `FileReader` is typed by the same interfaces.
await serveJobs((request) => work(request as ReadingJob));

async function work({ kind, root, path, knownHash, way }: ReadingJob): Promise<HandedOver> {
  const opened = await rootAt(root);
  if (opened === undefined) return { kind: 'unknown' };
  const parts: ReadingParts = {
    root: opened,
    chunk: (file) => chunkText(file, parsers, way),
  };
  if (kind === 'signatures') return { kind, byHash: await readSignatures(parts, path) };
  const read = await readForIndex(parts, { path, knownHash });
  if (read.kind !== 'put') return read;
  const chunks = read.file.chunks.map((chunk) => ({ ...chunk, terms: chunk.terms.join(' ') }));
  return { kind: 'put', file: { ...read.file, chunks } };
}

async function rootAt(path: string): Promise<Root | undefined> {
  if (known?.path === path) return known;
  const opened = await Root.open(path);
  // A link in its place would lead to another tree.
  known = opened.ok && opened.value.path === path ? opened.value : undefined;
  return known;
}
