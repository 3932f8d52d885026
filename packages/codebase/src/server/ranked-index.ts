// Ranked search over one tree with all that it needs: the store, the embedder, and the indexer that keeps both up to
// date. It opens in the background, so that text searches do not wait for it; a question waits until there is an index.
// The state reports what is unavailable, and search continues with the rest.

import { dirname } from 'node:path';
import {
  type Clock,
  CodedError,
  delay,
  Emitter,
  type Logger,
  messageOf,
  Scope,
} from '@plugboard/base';
import { type Embedder, type EmbedderSettings, openEmbedder } from '../embed/index.ts';
import { Indexer } from '../indexing/index.ts';
import { loadSqlite } from '../platform/index.ts';
import type { Root, TreeFollower } from '../scan/index.ts';
import { CodeSearch } from '../search/index.ts';
import {
  markUsed,
  openStore,
  type Store,
  type StoreSettings,
  sweepIndexes,
} from '../store/index.ts';
import { globFilter } from '../text/index.ts';
import type {
  IndexPort,
  IndexProgress,
  IndexState,
  RankedAnswer,
  RankedFilter,
  RankedSearch,
} from './parts/codebase-parts.ts';

export interface RankedOptions {
  readonly root: Root;
  readonly tree: TreeFollower;
  /** Of this tree alone. */
  readonly folder: string;
  /** Tells this tree from all others that share an engine. */
  readonly rootId: string;
  readonly embedder: EmbedderSettings;
  readonly store: StoreSettings;
  /** Begun at once, unless told. */
  readonly indexing?: 'at-once' | 'when-asked' | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OpenedIndex {
  readonly search: CodeSearch;
  readonly indexer: Indexer;
}

/** So long a question waits for a tree that is indexed for the first time; then it is answered from what there is. */
const PATIENCE_MS = 30_000;
/** Of what a filter by globs leaves too little, more is asked for. */
const WIDER = 10;

export class RankedIndex implements RankedSearch, IndexPort, AsyncDisposable {
  readonly #options: RankedOptions;
  readonly #scope = new Scope();
  readonly #notes: string[] = [];
  #opening: Promise<OpenedIndex | undefined> | undefined;
  readonly #progress: Emitter<IndexProgress>;
  #state: 'opening' | 'open' | 'failed' = 'opening';

  constructor(options: RankedOptions) {
    this.#options = options;
    this.#progress = new Emitter((thrown) =>
      options.logger.log('warn', 'a listener failed', { reason: messageOf(thrown) }),
    );
    if (options.indexing !== 'when-asked') void this.#begin();
  }

  async search(
    text: string,
    { globs, languages, maxResults }: RankedFilter & { readonly maxResults: number },
    signal: AbortSignal,
  ): Promise<RankedAnswer> {
    const opened = await this.#begin();
    if (opened === undefined) throw this.#unusable();
    await this.#caughtUp(opened.indexer, signal);
    const filter = languages === undefined ? {} : { languages };
    const chosen = globs === undefined ? undefined : globFilter(globs);
    if (chosen?.ok === false)
      throw new CodedError('glob-invalid', chosen.error, { data: { globs } });
    const most = chosen === undefined ? maxResults : maxResults * WIDER;
    const { hits, ...answer } = await opened.search.search(
      text,
      { ...filter, maxResults: most },
      signal,
    );
    opened.indexer.answered();
    const fitting =
      chosen === undefined ? hits : hits.filter(({ path }) => chosen.value.accepts(path));
    return { ...answer, hits: fitting.slice(0, maxResults) };
  }

  async state(): Promise<IndexState> {
    const opened = this.#state === 'opening' ? undefined : await this.#opening;
    if (opened === undefined) {
      const kind = this.#state === 'failed' ? 'off' : 'indexing';
      return { kind, files: 0, chunks: 0, semanticCoverage: 0, ...noteOf(this.#notes) };
    }
    const { phase, files, chunks, semanticCoverage, notes } = await opened.indexer.state();
    const isReady = phase === 'ready' || phase === 'following';
    return {
      kind: isReady ? 'ready' : 'indexing',
      files,
      chunks,
      semanticCoverage,
      ...noteOf([...this.#notes, ...notes]),
    };
  }

  onProgress(listener: (progress: IndexProgress) => void): Disposable {
    return this.#progress.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opening;
    await this.#scope[Symbol.asyncDispose]();
  }

  /**
   * Until what is in the tree can be found by words, for a bounded time: who asks first would else hear that there
   * is nothing. Vectors are waited for only where nothing goes on after the question.
   */
  async #caughtUp(indexer: Indexer, signal: AbortSignal): Promise<void> {
    const unfinished = new Set(['listing', 'reading']);
    if (this.#options.indexing === 'when-asked') unfinished.add('embedding');
    const isCaughtUp = ({ phase }: { readonly phase: string }): boolean => !unfinished.has(phase);
    if (isCaughtUp(indexer.progress)) return;
    let tell: () => void = () => {};
    const caughtUp = new Promise<void>((resolve) => {
      tell = resolve;
    });
    using _ = indexer.onProgress((progress) => {
      if (isCaughtUp(progress)) tell();
    });
    const ended = new AbortController();
    const patience = delay(
      PATIENCE_MS,
      this.#options.clock,
      AbortSignal.any([signal, ended.signal]),
    );
    try {
      await Promise.race([caughtUp, patience]);
    } finally {
      ended.abort();
      // The abort rejects it, and no code awaits it any more.
      patience.catch(() => {});
    }
  }

  #begin(): Promise<OpenedIndex | undefined> {
    this.#opening ??= this.#open().catch((thrown: unknown) => {
      this.#state = 'failed';
      this.#note(`the index cannot be used: ${messageOf(thrown)}`);
      return undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<OpenedIndex> {
    const { root, tree, clock } = this.#options;
    const embedder = await this.#openEmbedder();
    const store = await this.#openStore(embedder);
    const indexer = this.#scope.use(
      new Indexer({ root, tree: tree.start(), store, embedder, clock }),
    );
    this.#scope.use(indexer.onProgress((progress) => this.#progress.emit(progress)));
    this.#state = 'open';
    return { search: new CodeSearch({ store, embedder }), indexer };
  }

  async #openEmbedder(): Promise<Embedder | undefined> {
    const opened = await openEmbedder(this.#options.embedder, { clock: this.#options.clock });
    if (opened.kind === 'none') {
      this.#note(`search goes by words alone: ${opened.reason}`);
      return undefined;
    }
    opened.notes.forEach((note) => this.#note(note));
    this.#scope.defer(() => opened.embedder.close());
    return opened.embedder;
  }

  async #openStore(embedder: Embedder | undefined): Promise<Store> {
    const { folder, rootId, store: settings, clock } = this.#options;
    const opened = await openStore(settings, { folder, rootId, embedder, clock });
    if (!opened.ok) throw new Error(opened.error);
    void this.#tidy();
    return this.#scope.use(opened.value);
  }

  /** Opening an index sweeps those that are no longer used. */
  async #tidy(): Promise<void> {
    const { root, folder, clock, logger } = this.#options;
    try {
      await markUsed(folder, root.path, clock);
      const sqlite = await loadSqlite();
      if (sqlite.ok) await sweepIndexes({ base: dirname(folder), clock, open: sqlite.value });
    } catch (thrown) {
      logger.log('debug', 'indexes were not swept', { reason: messageOf(thrown) });
    }
  }

  #unusable(): CodedError {
    const message = `${this.#notes.join('; ')}. Use search_code instead.`;
    return new CodedError('index-unusable', message, { data: { notes: this.#notes } });
  }

  #note(note: string): void {
    this.#notes.push(note);
    this.#options.logger.log('warn', note);
  }
}

function noteOf(notes: readonly string[]): { readonly note?: string } {
  return notes.length === 0 ? {} : { note: notes.join('; ') };
}
