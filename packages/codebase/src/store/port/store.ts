// The port to an index: stores files and chunks, finds chunks by words and by vectors, and lets one process write. Two
// drivers implement it, and one suite of tests checks both.

import type { FileTraits, WeightedTerm } from '../../words/index.ts';

export type { FileTraits, WeightedTerm };

export interface IndexedChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  readonly names: readonly string[];
  /** With repetitions, which count. The terms of the path belong to the file. */
  readonly terms: readonly string[];
  /** Hexadecimal. Chunks with the same hash have the same vector. */
  readonly signatureHash: string;
}

export interface FileFacts {
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
}

export interface IndexedFile extends FileFacts {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly language: string;
  readonly traits: FileTraits;
  readonly pathTerms: readonly string[];
  readonly chunks: readonly IndexedChunk[];
}

export interface ChunkRef {
  /** Valid until the file changes. */
  readonly id: number | string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  readonly names: readonly string[];
  readonly language: string;
  readonly traits: FileTraits;
}

export interface Candidate {
  readonly chunk: ChunkRef;
  readonly score: number;
}

export interface DenseCandidate extends Candidate {
  /** The cosine of the two vectors; `score` is the same. */
  readonly similarity: number;
}

/** Limits results to the files that it accepts. */
export type ChunkFilter = (path: string) => boolean;

export interface StoreChange {
  /** Files that are new or replace the same path. */
  readonly put: readonly IndexedFile[];
  /** Paths of files; unknown paths are ignored. */
  readonly remove: readonly string[];
  /** Files with the same content, but another time or size. */
  readonly touch?: readonly TouchedFile[];
}

export interface TouchedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface MissingVector {
  readonly signatureHash: string;
  readonly path: string;
}

export interface ChunkVector {
  readonly signatureHash: string;
  /** Of length one. */
  readonly vector: Float32Array;
}

export interface StoreState {
  readonly files: number;
  readonly chunks: number;
  /** The number of chunks with a vector of the requested embedder, or of the last used one. */
  readonly vectors: number;
  /** The size on the disk; `undefined` if the index is on another machine. */
  readonly bytes: number | undefined;
  /** Problems, as sentences for people. */
  readonly notes: readonly string[];
}

/** Of all processes, one at a time writes an index. The others read what it writes. */
export type StoreRole = 'writer' | 'reader';

export interface Store extends AsyncDisposable {
  readonly role: StoreRole;
  /** Calls `listener` when this process becomes the writer, until the result is disposed of. */
  onWriter(listener: () => void): Disposable;
  /** Applies all of a change or nothing. Only for the writer. */
  apply(change: StoreChange): Promise<void>;
  files(): Promise<ReadonlyMap<string, FileFacts>>;
  /** The facts of a file when it was read; `undefined` if it is not known. */
  fileFacts(path: string): FileFacts | undefined;
  /** The next signatures to embed, the most useful first; each one once. */
  missingVectors(embedderId: string, limit: number): Promise<readonly MissingVector[]>;
  /** Only for the writer. */
  putVectors(embedderId: string, vectors: readonly ChunkVector[]): Promise<void>;
  /** Searches by BM25; the best first. */
  lexical(
    terms: readonly WeightedTerm[],
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly Candidate[]>;
  /** Searches by cosine; the best first. */
  dense(
    embedderId: string,
    vector: Float32Array,
    limit: number,
    accepts?: ChunkFilter,
  ): Promise<readonly DenseCandidate[]>;
  state(embedderId?: string): Promise<StoreState>;
}
