// The chunks of a file, its declarations and uses of names, and how large a chunk may be. Shared by the code that cuts
// files and the code that stores or shows chunks.

import type { DeclarationKind } from './languages/language.ts';
import type { LanguageName } from './languages/table.ts';

export interface Chunk {
  /** The first and the last line, from 1, both inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /**
   * Offsets in UTF-16 code units. The chunks of a file tile it: the first starts at 0, each starts where the previous
   * one ends, and the last ends with the text. An empty text has no chunks.
   */
  readonly start: number;
  readonly end: number;
  readonly kind: ChunkKind;
  /** The outermost declared name, after the names around it: `Parser.parse`. */
  readonly symbol?: string;
  /** All names that it declares, in order. */
  readonly names: readonly string[];
  /** The text that an embedder reads instead of the code; see `signatureOf`. */
  readonly signature: string;
}

export type ChunkKind =
  | DeclarationKind
  /** Code outside of all declarations. */
  | 'module'
  /** Any other lines. */
  | 'lines';

export interface ChunkedFile {
  /** `text` if it is none of the table. */
  readonly language: LanguageName;
  readonly how: 'syntax' | 'lines';
  readonly chunks: readonly Chunk[];
  /** The symbols that it declares, in order. */
  readonly definitions: readonly SymbolDefinition[];
  /** The names that it uses; empty if it was not read by a grammar. */
  readonly uses: Uses;
}

/** A name that a file declares. */
export interface SymbolDefinition {
  readonly name: string;
  /** The name after those around it: `Parser.parse`. */
  readonly path: string;
  readonly kind: DeclarationKind;
  /** The line of the name. */
  readonly line: number;
  /** The lines of the whole declaration, including the comment before it. */
  readonly startLine: number;
  readonly endLine: number;
}

/** How a name is used, as the lowest two bits of a use. */
export const USE_KINDS = [
  /** By itself: `save()`. */
  'bare',
  /** Of a value: `model.save()`. */
  'member',
  /** Of a module or a type that the file imports: `models.save()`, `models::save()`. */
  'qualified',
  /** As a key: `{ save: true }`, `f(save=1)`. */
  'key',
] as const;
export type UseKind = (typeof USE_KINDS)[number];

/**
 * The uses of each name, in order. A use is the line times sixteen, plus eight for an assignment, plus four for a call,
 * plus the kind. A name imported from another package is followed by `OF_MODULE` and the name of the module.
 */
export type Uses = ReadonlyMap<string, readonly number[]>;

export const OF_MODULE = '\u0001';

export interface FileToChunk {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A declaration in a text. `symbol` is its name after those around it. */
export interface Declaration {
  readonly start: number;
  readonly end: number;
  readonly kind: DeclarationKind;
  /** Empty for a declaration that only contains others, such as `impl Foo` in Rust; it still has a symbol. */
  readonly names: readonly string[];
  readonly symbol: string;
  /** How many declarations enclose it. */
  readonly depth: number;
  /** The offset of each name; the start of the declaration by default. */
  readonly nameOffsets?: readonly number[];
}

/** A place where a text may be cut; the lower the depth, the better the place. */
export interface Boundary {
  readonly offset: number;
  readonly depth: number;
}

/** Where a text may be cut, and what it declares, both in order. */
export interface Outline {
  readonly boundaries: readonly Boundary[];
  readonly declarations: readonly Declaration[];
  /** Absent if no grammar has told names from other words. */
  readonly uses?: Uses;
}

/** In characters other than white space; indented code of this weight has about 1500 characters. */
export const TARGET_WEIGHT = 1200;
/** Nothing that weighs this or less is taken apart. */
export const MOST_WEIGHT = 1500;
/** No chunk has more UTF-16 code units than this. */
export const MOST_LENGTH = 4096;
