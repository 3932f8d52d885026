export { type EntryOutput, type ResultLimits } from './budget.ts';
export type { CountTokens } from './fit-texts.ts';
export type { ImageLimits } from './image-limits.ts';
export { type FittedResult, Output, type OutputOptions } from './output.ts';
export type { Part, SavedFile, StructuredProblem } from './part.ts';
export type { FileQuota } from './result-files.ts';
export type {
  NotReadable,
  ReadResult,
  ReadWish,
  Results,
  SearchResult,
  SearchWish,
} from './results.ts';
export type { LineMatch } from './search-lines.ts';
export { type SavedPart, saveParts } from './save-parts.ts';
export { toParts } from './to-parts.ts';
export { toText } from './to-text.ts';
