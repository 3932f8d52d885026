// The door of `indexing`: keeping an index up to date with a tree.

export type { Analyse, AnalysedFile, FileToAnalyse } from './analyse.ts';
export {
  Indexer,
  type IndexerParts,
  type IndexPhase,
  type IndexProgress,
  type IndexState,
  type TreeIndex,
} from './indexer.ts';
