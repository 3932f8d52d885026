// The door of `chunk`: cuts files into chunks that follow their syntax.

export {
  type Chunk,
  type ChunkedFile,
  type FileToChunk,
  OF_MODULE,
  type SymbolDefinition,
  USE_KINDS,
  type UseKind,
  type Uses,
} from './chunk.ts';
export { chunkText, type Way } from './chunk-text.ts';
export { Chunker, CUTTING, syntaxOrLines } from './chunker.ts';
export { identifiersOf, splitIdentifier } from './identifiers.ts';
export { Parsers } from './parsers.ts';
export { GRAMMARS, hasGrammar } from './languages/grammars.ts';
export { kindsWhere } from './languages/language.ts';
export { languageCalled, languageOf } from './languages/language-of.ts';
export type { LanguageName } from './languages/table.ts';
