// What a server is made of, as ports: the confined tree, text search, the chunker, and the index. Who opens and closes them is
// the caller's business.

import type { Clock, Logger, Semaphore } from '@plugboard/base';
import type { Chunker } from '../../chunk/index.ts';
import type { Git } from '../../history/index.ts';
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
  /** The share of files that were read when it was answered, from 0 to 1. */
  readonly readShare: number;
  /** It comes from an earlier index, and changes since then are still looked for; what changed is left out. */
  readonly isComparing: boolean;
}

export interface IndexProgress {
  /** As the indexer names it; `not-begun`, or `off` if there is no index. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
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
  readonly kind: 'off' | 'indexing' | 'ready' | 'gone';
  /** Files that could not be read, although that was tried several times. */
  readonly unread: readonly string[];
  /** A sentence on what is worse than it could be. */
  readonly note?: string | undefined;
}

/** Files of one reason, and a few of them by name. */
export interface LeftOut {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface IndexStatus extends IndexProgress, IndexCoverage, Pick<IndexState, 'unread'> {
  readonly symbolFiles: number;
  /** On this disk; `undefined` if the index is another machine's. */
  readonly bytes: number | undefined;
  readonly memoryBytes: number;
  /** Files that are known without their text. */
  readonly leftOut: { readonly tooLarge: LeftOut; readonly binary: LeftOut };
  readonly notes: readonly string[];
  /** Each by itself; a single one has no name. */
  readonly roots: readonly RootStatus[];
}

export interface RootStatus extends IndexProgress, IndexCoverage {
  readonly name: string;
  readonly path: string;
}

/** What is indexed of one root, or of several as one. */
export interface CodeIndex {
  /** Rejects where there is no index; the state says why. */
  search(text: string, request: RankedRequest, signal: AbortSignal): Promise<RankedAnswer>;
  /** The symbols of what was read so far; rejects where there can be none. */
  symbols(signal: AbortSignal): Promise<SymbolIndex>;
  state(): Promise<IndexState>;
  onProgress(listener: (progress: IndexProgress) => void): Disposable;
  /** Begins the index where nothing has begun it. */
  begin(): Promise<void>;
  status(): Promise<IndexStatus>;
}

export interface TreeChanges {
  /** Whether every change is told from now on. */
  readonly isWatching: boolean;
  /** Called when files of the tree came, went or changed. */
  on(listener: () => void): Disposable;
}

/** What git is asked about: a path within one root. */
export interface HistoryPlace {
  /** Of the root; empty where there is only one. */
  readonly name: string;
  /** Empty for the root. */
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
  /** Of the roots, where there are several: the first part of every path. */
  readonly names: readonly string[];
  /** Of several roots; the others are served without them. */
  missing(): Promise<readonly MissingRoot[]>;
  readonly text: Pick<TextSearch, 'page'>;
  readonly chunker: Pick<Chunker, 'chunk'>;
  readonly index: CodeIndex;
  /** Of a path as the tree has it; the empty one is every root. */
  histories(path: string): readonly HistoryPlace[];
  readonly structure: Pick<StructureSearch, 'find'>;
  /** Those that the user has named. */
  readonly languageServers: Pick<LanguageServers, 'commandFor' | 'references'>;
  readonly changes: TreeChanges;
  /** What happens to files that ignore files leave out or that look like secrets: `refuse`d, or read `on-request`. */
  readonly ignored: 'refuse' | 'on-request';
  /** How many calls of tools may run at once, of all sessions. */
  readonly turns: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
}
