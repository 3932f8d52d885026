// The door of the package.

export {
  type Embedder,
  type EmbedderSettings,
  type OllamaSettings,
  type OpenAiSettings,
  openEmbedder,
  parseEmbedderSettings,
} from './embed/index.ts';
export { type ChunkedFile, Chunker } from './chunk/index.ts';
export { FileReader, Indexer, readingPool } from './indexing/index.ts';
export { listFiles, Root, TreeFollower } from './scan/index.ts';
export { type LanguageServerSettings, parseLanguageServers } from './language-server/index.ts';
export { CodeSearch, RANK_PARTS, type RankPart } from './search/index.ts';
export {
  type Codebase,
  type CodebaseOptions,
  type CodebaseSettings,
  type ConnectableCodebase,
  createCodebase,
  type HttpAddress,
  type HttpEntrance,
  parseHosts,
  parseRoots,
  type StdioEntrance,
} from './server/index.ts';
export { TextSearch, TrigramIndex } from './text/index.ts';
export {
  type IndexedFile,
  openStore,
  parseStoreSettings,
  type QdrantSettings,
  type Store,
  type StoreSettings,
} from './store/index.ts';
