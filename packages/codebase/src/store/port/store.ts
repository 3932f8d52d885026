// The port to an index: what is kept of files and chunks, how they are found by words and by vectors, and who may
// change them. Two drivers keep to it, and one suite of tests holds both.

import type { FileTraits, WeightedTerm } from '../../words/index.ts';

export type { FileTraits, WeightedTerm };

export interface IndexedChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string;
  readonly names: readonly string[];
  /** With repeats: how often one stands here is how much it counts. Those of the path are the file's. */
  readonly terms: readonly string[];
  /** Hexadecimal. Chunks with the same one have the same vector, wherever they are. */
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
  /** Good until the file changes. */
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

/** Which files chunks may be of; all, by default. */
export interface ChunkFilter {
  readonly accepts?: ((path: string) => boolean) | undefined;
}

export interface StoreChange {
  /** Replaces what was known of the same path. */
  readonly put: readonly IndexedFile[];
  /** Paths of files; unknown ones are no mistake. */
  readonly remove: readonly string[];
  /** Same content, other time or size on the disk. */
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
  /** Chunks that have a vector of the embedder that was last asked for. */
  readonly vectors: number;
  /** On the disk; `undefined` if that is another machine's. */
  readonly bytes: number | undefined;
  /** What is worse than it should be, in sentences for people. */
  readonly notes: readonly string[];
}

/** Who may change an index: one at a time, over all processes. The others read what it writes. */
export type StoreRole = 'writer' | 'reader';

export interface Store extends AsyncDisposable {
  readonly driver: 'embedded' | 'qdrant';
  readonly role: StoreRole;
  /** Called when the one that wrote is gone and this one may; disposing of the answer ends it. */
  onRole(listener: (role: StoreRole) => void): Disposable;
  /** All of it or nothing. Only for the writer. */
  apply(change: StoreChange): Promise<void>;
  files(): Promise<ReadonlyMap<string, FileFacts>>;
  /** Of one file, as it was when it was read; `undefined` if it is not known. */
  fileFacts(path: string): FileFacts | undefined;
  /** What to embed next, the most useful first; each signature once. */
  missingVectors(embedderId: string, limit: number): Promise<readonly MissingVector[]>;
  /** Only for the writer. */
  putVectors(embedderId: string, vectors: readonly ChunkVector[]): Promise<void>;
  /** By BM25; the best first. */
  lexical(
    terms: readonly WeightedTerm[],
    limit: number,
    filter?: ChunkFilter,
  ): Promise<readonly Candidate[]>;
  /** By cosine; the best first. */
  dense(
    embedderId: string,
    vector: Float32Array,
    limit: number,
    filter?: ChunkFilter,
  ): Promise<readonly DenseCandidate[]>;
  state(embedderId?: string): Promise<StoreState>;
}
