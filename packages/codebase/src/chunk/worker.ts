// The program of a worker that cuts files. It holds the parsers; each thread has its own.

import { systemClock } from '@plugboard/base';
import { serveJobs } from '../platform/index.ts';
import type { ChunkedFile, FileToChunk } from './chunk.ts';
import { chunkText, type Way } from './chunk-text.ts';
import { Parsers } from './parsers.ts';

/** A file that takes longer is cut by lines; ordinary ones take a few milliseconds. */
const MOST_MS = 2_000;

export interface ChunkJob extends FileToChunk {
  readonly way: Way;
}

const parsers = new Parsers({ clock: systemClock, mostMs: MOST_MS });

// The pool of `Chunker` is typed by the same interfaces.
serveJobs((request): Promise<ChunkedFile> => {
  const { path, text, way } = request as ChunkJob;
  return chunkText({ path, text }, parsers, way);
});
