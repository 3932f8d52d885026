// The tools of the server, in the order in which they are listed.

import { chunkFile } from './chunk-file.ts';
import { chunkFiles } from './chunk-files.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { searchByEmbedding } from './search-by-embedding.ts';
import { searchCode } from './search-code.ts';
import type { Tool } from './tool.ts';

export const ALL_TOOLS: readonly Tool[] = [
  searchCode,
  searchByEmbedding,
  listDirectory,
  readFile,
  chunkFile,
  chunkFiles,
];
