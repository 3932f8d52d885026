// The program that reads files for the index beside the server: whatever makes garbage stays in it. It holds the
// parsers, and answers with words as one text for each chunk, which is quicker to hand over than a list.

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
  /** How it is cut. */
  readonly way: Way;
}

/** Terms never hold a space. */
export interface HandedFile extends Omit<IndexedFile, 'chunks'> {
  readonly chunks: readonly (Omit<IndexedChunk, 'terms'> & { readonly terms: string })[];
}

export type HandedOver =
  | Exclude<ReadFile, { readonly kind: 'put' }>
  | (Omit<Extract<ReadFile, { readonly kind: 'put' }>, 'file'> & { readonly file: HandedFile });

/** Opened once: whether it is still there is asked again for every file. */
let known: Root | undefined;
const parsers = new Parsers();

// The pool of `FileReader` is typed by the same interfaces.
await serveJobs((request) => work(request as ReadingJob));

async function work({ root: path, way, ...request }: ReadingJob): Promise<HandedOver> {
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
  // A link in its place would lead to another tree.
  known = opened.ok && opened.value.path === path ? opened.value : undefined;
  return known;
}
