// The door of `indexing`: keeps an index up to date with a tree.

export { FileReader, type ReadingPool, readingPool } from './file-reader.ts';
export type { FileRequest, ReadFile } from './read-for-index.ts';
export { whyLeftOut } from './read-for-index.ts';
export {
  earliestPhase,
  INDEX_PHASES,
  type IndexKind,
  type IndexPhase,
  type IndexProgress,
} from './index-phase.ts';
export { Indexer, type IndexerParts } from './indexer.ts';
