// The program that reads files for the index in a separate process, which keeps the garbage out of the server. It holds
// the parsers, and returns the words of a chunk as one text, which is quicker to transfer than a list.

import {
  type ChunkedFile,
  chunkText,
  type FileToChunk,
  Parsers,
  type Way,
} from '../chunk/index.ts';
import { serveJobs } from '../platform/index.ts';
import { Root } from '../scan/index.ts';
import type { IndexedChunk, IndexedFile } from '../store/index.ts';
import { type FileRequest, type ReadFile, readForIndex } from './read-for-index.ts';

export interface ReadingJob extends FileRequest {
  readonly root: string;
  /** How to cut it. */
  readonly way: Way;
}

/** A file with its terms joined by spaces, which terms never contain. */
export interface PackedFile extends Omit<IndexedFile, 'chunks'> {
  readonly chunks: readonly (Omit<IndexedChunk, 'terms'> & { readonly terms: string })[];
}

export type PackedResult =
  | Exclude<ReadFile, { readonly kind: 'put' }>
  | (Omit<Extract<ReadFile, { readonly kind: 'put' }>, 'file'> & { readonly file: PackedFile });

/** Opened once; every read checks whether it still exists. */
let known: Root | undefined;
const parsers = new Parsers();

// The pool of `FileReader` uses the same types.
await serveJobs((request) => work(request as ReadingJob));

async function work({ root: path, way, ...request }: ReadingJob): Promise<PackedResult> {
  const root = await rootAt(path);
  if (root === undefined) return { kind: 'unknown' };
  const chunk = (file: FileToChunk): Promise<ChunkedFile> => chunkText(file, parsers, way);
  const read = await readForIndex({ root, chunk }, request);
  if (read.kind !== 'put') return read;
  const chunks = read.file.chunks.map((one) => ({ ...one, terms: one.terms.join(' ') }));
  return { ...read, file: { ...read.file, chunks } };
}

async function rootAt(path: string): Promise<Root | undefined> {
  if (known?.path === path) return known;
  const opened = await Root.open(path);
  // A link in place of the root would lead to another tree.
  known = opened.ok && opened.value.path === path ? opened.value : undefined;
  return known;
}
