// The door of `chunk`: cutting files into chunks that follow their syntax, and the words of chunks.

export type { Chunk, ChunkedFile, ChunkKind, FileToChunk } from './chunk.ts';
export { chunkText, type Way } from './chunk-text.ts';
export { Chunker, type ChunkerSettings } from './chunker.ts';
export { identifiersOf, splitIdentifier } from './identifiers.ts';
export { MOST_PARSE_MS, Parsers } from './parsers.ts';
export { languageOf } from './languages/language-of.ts';
