// The door of `store`: stores the files and chunks of a tree, and searches them.

export { EmbeddedStore, type EmbeddedStoreOptions } from './embedded/embedded-store.ts';
export { SIGNATURE_DIGITS } from './port/file-record.ts';
export { ByteReader, ByteWriter, textBytes } from './engine/byte-writer.ts';
export { indexFolder, markUsed, sweepIndexes } from './index-folders.ts';
export { openStore } from './open-store.ts';
export { parseStoreSettings, type QdrantSettings, type StoreSettings } from './store-settings.ts';
export type {
  Candidate,
  ChunkFilter,
  ChunkRef,
  ChunkVector,
  DenseCandidate,
  FileFacts,
  IndexedChunk,
  IndexedFile,
  MissingVector,
  Store,
  StoreChange,
  StoreState,
  TouchedFile,
  WeightedTerm,
} from './port/store.ts';
