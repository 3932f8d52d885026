// The program of a process that cuts files, with its own parsers.

import { serveJobs } from '../platform/index.ts';
import type { ChunkedFile, FileToChunk } from './chunk.ts';
import { chunkText, type Way } from './chunk-text.ts';
import { Parsers } from './parsers.ts';

export interface ChunkJob extends FileToChunk {
  readonly way: Way;
}

const parsers = new Parsers();

// The pool of `Chunker` uses the same types.
await serveJobs((request): Promise<ChunkedFile> => {
  const { path, text, way } = request as ChunkJob;
  return chunkText({ path, text }, parsers, way);
});
