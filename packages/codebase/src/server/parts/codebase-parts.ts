// What a server is made of, as ports: the confined tree, text search, the chunker, ranked search and the state of its
// index. Who opens and closes them is the caller's business.

import type { Clock, Logger, Semaphore } from '@plugboard/base';
import type { Chunker } from '../../chunk/index.ts';
import type { Root } from '../../scan/index.ts';
import type { TextSearch } from '../../text/index.ts';

export interface RankedFilter {
  readonly globs?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
}

export interface RankedHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly symbol?: string | undefined;
  /** The cosine of question and chunk; nothing where the chunk has no vector yet. */
  readonly similarity?: number | undefined;
  readonly score: number;
}

export interface RankedAnswer {
  readonly hits: readonly RankedHit[];
  /** The share of chunks with a vector, from 0 to 1. */
  readonly semanticCoverage: number;
  readonly mode: 'hybrid' | 'lexical';
}

export interface RankedSearch {
  search(
    text: string,
    options: RankedFilter & { readonly maxResults: number },
    signal: AbortSignal,
  ): Promise<RankedAnswer>;
}

export interface IndexProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

export interface IndexState {
  readonly kind: 'off' | 'indexing' | 'ready';
  readonly files: number;
  readonly chunks: number;
  readonly semanticCoverage: number;
  /** A sentence on what is worse than it could be. */
  readonly note?: string | undefined;
}

export interface IndexPort {
  state(): Promise<IndexState>;
  onProgress(listener: (progress: IndexProgress) => void): Disposable;
}

export interface TreeChanges {
  /** Whether every change is told from now on. */
  readonly isWatching: boolean;
  /** Told when files of the tree came, went or changed. */
  on(listener: () => void): Disposable;
}

export interface CodebaseParts {
  readonly root: Root;
  readonly text: Pick<TextSearch, 'page'>;
  readonly chunker: Pick<Chunker, 'chunk'>;
  /** Nothing where there is no index; its state says why. */
  readonly search: RankedSearch | undefined;
  readonly index: IndexPort;
  readonly changes: TreeChanges;
  /** What happens to files that ignore files leave out or that look like secrets: `refuse`d, or read `on-request`. */
  readonly ignored: 'refuse' | 'on-request';
  /** How many calls of tools may run at once, of all sessions. */
  readonly turns: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
}
