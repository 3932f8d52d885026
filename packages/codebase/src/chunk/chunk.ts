// What a file is cut into, and how large a piece may be. Shared by everything that cuts and by
// everything that stores or shows pieces.

import type { DeclarationKind } from './languages/language.ts';

export interface Chunk {
  /** The first and the last line, from 1, both part of it. */
  readonly startLine: number;
  readonly endLine: number;
  /**
   * Offsets in UTF-16 code units. The chunks of a file tile it: the first starts at 0, each starts
   * where the one before ends, the last ends where the text does. An empty text has none.
   */
  readonly start: number;
  readonly end: number;
  readonly kind: ChunkKind;
  /** The outermost declared name, dotted with what it is declared in: `Parser.parse`. */
  readonly symbol?: string;
  /** All names that are declared in it, in order. */
  readonly names: readonly string[];
  /** What an embedder reads instead of the text; see `signatureOf`. */
  readonly signature: string;
}

export type ChunkKind =
  | DeclarationKind
  /** Part of a document under a heading, or of a file under a key. */
  | 'section'
  /** Code outside of all declarations. */
  | 'module'
  /** Lines of which nothing else is known. */
  | 'lines';

export interface ChunkedFile {
  /** As in the table of languages; `text` where it is none of them. */
  readonly language: string;
  readonly how: 'syntax' | 'lines';
  readonly chunks: readonly Chunk[];
  /** What is declared in it, in order. */
  readonly definitions: readonly SymbolDefinition[];
  /** Which names are used in it; none if it was not read by a grammar. */
  readonly uses: Uses;
}

/** A name that is declared in a file. */
export interface SymbolDefinition {
  readonly name: string;
  /** With the names around it: `Parser.parse`. */
  readonly path: string;
  readonly kind: ChunkKind;
  /** Where the name stands. */
  readonly line: number;
  /** Of all of it, with the comment before it. */
  readonly startLine: number;
  readonly endLine: number;
}

/** How a name stands where it is used, as the lowest two bits of a use. */
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
 * Where a name is used, in order: the line times sixteen, plus eight where something is assigned to it, plus four for a
 * call, plus the kind. What comes from a module that is not beside the file has the module's name after `OF_MODULE`.
 */
export type Uses = ReadonlyMap<string, readonly number[]>;

export const OF_MODULE = '\u0001';

export interface FileToChunk {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A declaration found in a text. `symbol` has the names around it before its own. */
export interface Declaration {
  readonly start: number;
  readonly end: number;
  readonly kind: ChunkKind;
  /** None for what only holds others, such as `impl Foo` in Rust: it has a symbol all the same. */
  readonly names: readonly string[];
  readonly symbol: string;
  /** How many declarations are around it. */
  readonly depth: number;
  /** Where each of its names stands; at its start by default. */
  readonly nameOffsets?: readonly number[];
}

/** A place where a text may be cut; the lower the depth, the better the place. */
export interface Boundary {
  readonly offset: number;
  readonly depth: number;
}

/** Where a text may be cut, and what is declared in it, both in order. */
export interface Outline {
  readonly boundaries: readonly Boundary[];
  readonly declarations: readonly Declaration[];
  /** None if no grammar told names from other words. */
  readonly uses?: Uses;
}

/** Characters that are no white space; indented code of this weight has about 1500 characters. */
export const TARGET_WEIGHT = 1200;
/** What is no heavier than this is not taken apart. */
export const MOST_WEIGHT = 1500;
/** No chunk has more UTF-16 code units than this. */
export const MOST_LENGTH = 4096;
