// The door of `indexing`: keeps an index up to date with a tree.

export { FileReader, type FileReading, readingPool } from './file-reader.ts';
export type { FileRequest, ReadFile } from './read-for-index.ts';
export { whyLeftOut } from './read-for-index.ts';
export { Indexer, type IndexerParts, type IndexPhase } from './indexer.ts';
