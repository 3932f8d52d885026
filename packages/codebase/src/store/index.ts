// The door of `store`: stores the files and chunks of a tree, and searches them.

export { EmbeddedStore, type EmbeddedStoreOptions } from './embedded/embedded-store.ts';
export { SIGNATURE_DIGITS } from './port/file-record.ts';
export { ByteReader, ByteWriter, textBytes } from './engine/byte-writer.ts';
export { indexFolder, markUsed, sweepIndexes, type SweepOptions } from './index-folders.ts';
export { type LexicalWeights } from './engine/lexical-index.ts';
export { openStore, type OpenStoreOptions } from './open-store.ts';
export { parseStoreSettings, type QdrantSettings, type StoreSettings } from './store-settings.ts';
export type {
  Candidate,
  ChunkFilter,
  ChunkRef,
  ChunkVector,
  DenseCandidate,
  FileFacts,
  FileTraits,
  IndexedChunk,
  IndexedFile,
  MissingVector,
  Store,
  StoreChange,
  StoreRole,
  StoreState,
  TouchedFile,
  WeightedTerm,
} from './port/store.ts';
