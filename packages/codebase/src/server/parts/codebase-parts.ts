// The parts of a server as ports: the confined tree, text search, the chunker, the index and others. Their owner opens and
// closes them.

import type { Clock, Logger, Semaphore } from '@plugboard/base';
import type { Chunker } from '../../chunk/index.ts';
import type { Git } from '../../history/index.ts';
import type { IndexKind, IndexProgress } from '../../indexing/index.ts';
import type { LanguageServers } from '../../language-server/index.ts';
import type { Tree } from '../../scan/index.ts';
import type { CodeAnswer, CodeHit } from '../../search/index.ts';
import type { StructureSearch } from '../../structure/index.ts';
import type { SymbolIndex } from '../../symbols/index.ts';
import type { TextSearch } from '../../text/index.ts';

export interface RankedRequest {
  readonly maxResults: number;
  readonly globs?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  /** How long to wait for a tree that is still being read. */
  readonly waitMs?: number | undefined;
}

export type RankedHit = Omit<CodeHit, 'explanation'>;

export interface RankedAnswer extends Omit<CodeAnswer, 'hits' | 'note'> {
  readonly hits: readonly RankedHit[];
  /** The share of files that were read when the question was answered, from 0 to 1. */
  readonly readShare: number;
  /** The answer is from an earlier index that is still being compared with the tree; changed files are left out. */
  readonly isComparing: boolean;
}

/** How much is indexed. */
export interface IndexCoverage {
  readonly files: number;
  readonly chunks: number;
  /** The share of files that were read, from 0 to 1. */
  readonly readShare: number;
  /** The share of chunks with a vector, from 0 to 1. */
  readonly semanticCoverage: number;
}

export interface IndexState extends IndexCoverage {
  /** `gone`: the root folder no longer exists, and the index is as it was before. */
  readonly kind: IndexKind;
  /** Files that could not be read after several tries. */
  readonly unread: readonly string[];
  /** A sentence on current problems. */
  readonly note?: string | undefined;
}

/** Files that were left out for one reason, with a few examples. */
export interface LeftOut {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface IndexStatus extends IndexProgress, IndexCoverage, Pick<IndexState, 'unread'> {
  readonly symbolFiles: number;
  /** The size on this disk; `undefined` if the index is on another machine. */
  readonly bytes: number | undefined;
  readonly memoryBytes: number;
  /** Files that are indexed without their text. */
  readonly leftOut: { readonly tooLarge: LeftOut; readonly binary: LeftOut };
  readonly notes: readonly string[];
  /** The status of each root; a single one has no name. */
  readonly roots: readonly RootStatus[];
}

export interface RootStatus extends IndexProgress, IndexCoverage {
  readonly name: string;
  readonly path: string;
}

/** The index of one root, or of several as one. */
export interface CodeIndex {
  /** Rejects if there is no index; the state tells the reason. */
  search(text: string, request: RankedRequest, signal: AbortSignal): Promise<RankedAnswer>;
  /** The symbols of the files that were read so far; rejects if there are none to expect. */
  symbols(signal: AbortSignal): Promise<SymbolIndex>;
  state(): Promise<IndexState>;
  onProgress(listener: (progress: IndexProgress) => void): Disposable;
  /** Begins indexing, unless it has begun. */
  begin(): Promise<void>;
  status(): Promise<IndexStatus>;
}

export interface TreeChanges {
  /** Whether every change is being reported. */
  readonly isWatching: boolean;
  /** Calls `listener` when files of the tree were added, removed or changed. */
  on(listener: () => void): Disposable;
}

/** A path within one root, for queries to git. */
export interface HistoryPlace {
  /** The name of the root; empty for a single root. */
  readonly name: string;
  /** The path within the root; empty for the root itself. */
  readonly path: string;
  readonly git: Pick<Git, 'run'>;
}

/** A root that cannot be served now. */
export interface MissingRoot {
  readonly name: string;
  readonly reason: string;
}

export interface CodebaseParts {
  readonly root: Tree;
  /** The names of the roots, which are the first part of every path; empty for a single root. */
  readonly names: readonly string[];
  /** The roots that are missing; the others are served without them. */
  missing(): Promise<readonly MissingRoot[]>;
  readonly text: Pick<TextSearch, 'page'>;
  readonly chunker: Pick<Chunker, 'chunk'>;
  readonly index: CodeIndex;
  /** The places for a normalized path; the empty path means every root. */
  histories(path: string): readonly HistoryPlace[];
  readonly structure: Pick<StructureSearch, 'find'>;
  /** The language servers that the user has named. */
  readonly languageServers: Pick<LanguageServers, 'commandFor' | 'references'>;
  readonly changes: TreeChanges;
  /** Whether ignored and secret files are `refuse`d, or read `on-request`. */
  readonly ignored: 'refuse' | 'on-request';
  /** Limits the calls of tools that run at once, over all sessions. */
  readonly turns: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
}
