// Ranked search over one tree, with its store, its embedder, and the indexer that keeps the index up to date. It opens in the
// background, so that text searches do not wait for it; a question waits until there is an index. The state reports what
// is unavailable, and search continues with the rest.

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
import {
  type FileReader,
  INDEX_PHASES,
  Indexer,
  type IndexProgress,
  whyLeftOut,
} from '../indexing/index.ts';
import { fileFactsNow, loadSqlite, residentBytes } from '../platform/index.ts';
import type { Root, TreeFollower } from '../scan/index.ts';
import {
  markUsed,
  openStore,
  type Store,
  type StoreSettings,
  sweepIndexes,
} from '../store/index.ts';
import { type SymbolIndex, SymbolStore } from '../symbols/index.ts';
import { PathFilters } from '../text/index.ts';
import type {
  CodeIndex,
  IndexState,
  IndexStatus,
  LeftOut,
  RankedAnswer,
  RankedRequest,
} from './parts/codebase-parts.ts';
import { rankedAnswer, type Searchable } from './ranked-answer.ts';

export interface RankedOptions {
  readonly root: Root;
  readonly tree: TreeFollower;
  /** The folder of this tree's index. */
  readonly folder: string;
  /** Identifies this tree among all that share a cluster. */
  readonly rootId: string;
  readonly embedder: EmbedderSettings;
  readonly store: StoreSettings;
  /** `at-once` by default. */
  readonly indexing?: 'at-once' | 'when-asked' | undefined;
  readonly reader: FileReader;
  /** Part of the state, as a sentence. */
  readonly note?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OpenedIndex {
  readonly store: Store;
  /** `undefined` if search is by words alone. */
  readonly embedder: Embedder | undefined;
  readonly indexer: Indexer;
  /** `undefined` if SQLite does not load. */
  readonly symbols: SymbolStore | undefined;
}

type ReadyIndex = OpenedIndex & Searchable;

/**
 * How long a question waits by default for a tree that is still being read, before it is answered from what was read. It
 * waits longer if the process ends after the question.
 */
const PATIENCE_MS = { 'at-once': 2_000, 'when-asked': 30_000 } as const;
/**
 * How long after indexing began questions wait for the whole tree, in case that is quick; after that they wait only for
 * the first files, or use those of an earlier process.
 */
const FIRST_MS = { nothing: 900, 'of-before': 400 } as const;

interface Patience {
  /** When to answer from anything that was read. */
  readonly anyMs: number;
  readonly mostMs: number;
}

/** How many files are named for each reason. */
const MOST_EXAMPLES = 5;
const NONE: LeftOut = { count: 0, examples: [] };
const NOTHING: Omit<IndexStatus, 'phase' | 'memoryBytes' | 'notes' | 'roots'> = {
  ...{ done: 0, total: 0, files: 0, chunks: 0, semanticCoverage: 0 },
  ...{ readShare: 0, unread: [], symbolFiles: 0, bytes: 0 },
  leftOut: { tooLarge: NONE, binary: NONE },
};
const NO_SYMBOLS = 'no symbols are known: SQLite does not load here. Use search_code instead.';

export class RankedIndex implements CodeIndex, AsyncDisposable {
  readonly #options: RankedOptions;
  readonly #scope = new Scope();
  readonly #notes: string[] = [];
  readonly #filters: PathFilters;
  #opening: Promise<OpenedIndex | undefined> | undefined;
  #opened: OpenedIndex | undefined;
  readonly #progress: Emitter<IndexProgress>;
  #hasFailed = false;
  #begunAt = 0;

  constructor(options: RankedOptions) {
    this.#options = options;
    this.#filters = new PathFilters(options.root);
    if (options.note !== undefined) this.#note(options.note);
    this.#progress = new Emitter((thrown) =>
      options.logger.log('warn', 'a listener failed', { reason: messageOf(thrown) }),
    );
    if (options.indexing !== 'when-asked') void this.#begin();
  }

  search(text: string, request: RankedRequest, signal: AbortSignal): Promise<RankedAnswer> {
    const ready = async (): Promise<Searchable> => {
      const found = await this.ready(request.waitMs, signal);
      if (found === undefined) throw this.unusable();
      return found;
    };
    return rankedAnswer(text, request, { filters: this.#filters, ready, signal });
  }

  /**
   * The index, once it has caught up with the tree or the time is over; `undefined` if there is no index.
   */
  async ready(waitMs: number | undefined, signal: AbortSignal): Promise<ReadyIndex | undefined> {
    const opened = await this.#begin();
    if (opened === undefined) return undefined;
    const { indexer, store } = opened;
    await this.#waitFor(indexer, this.#patience(indexer, waitMs), signal);
    const standing = standingOf(indexer);
    return {
      ...opened,
      standing,
      readShare: indexer.readShare,
      isCurrent: standing === 'read' ? () => true : this.#unchangedIn(store),
      answered: () => indexer.answered(),
    };
  }

  /** Whether a file has not changed since it was read: the lines of a changed file may be wrong. */
  #unchangedIn(store: Store): (path: string) => boolean {
    const seen = new Map<string, boolean>();
    return (path) => {
      const known = seen.get(path);
      if (known !== undefined) return known;
      const [now, before] = [fileFactsNow(this.#options.root.path, path), store.fileFacts(path)];
      const isSame = now?.size === before?.size && now?.mtimeMs === before?.mtimeMs;
      seen.set(path, isSame && now !== undefined);
      return isSame && now !== undefined;
    };
  }

  async symbols(signal: AbortSignal): Promise<SymbolIndex> {
    // An incomplete list of references would be wrong, so this waits longer.
    const opened = await this.ready(PATIENCE_MS['when-asked'], signal);
    if (opened === undefined) throw this.unusable();
    const index = opened.symbols?.index;
    if (index !== undefined) return index;
    throw new CodedError('symbols-unusable', NO_SYMBOLS, { data: {} });
  }

  async state(): Promise<IndexState> {
    const opened = this.#opened;
    if (opened === undefined) {
      const { kind } = INDEX_PHASES[this.progress.phase];
      const none = { files: 0, chunks: 0, semanticCoverage: 0, readShare: 0, unread: [] };
      return { kind, ...none, ...noteOf(this.#notes) };
    }
    const { phase, files, chunks, semanticCoverage, readShare, unread, notes } =
      await opened.indexer.state();
    return {
      kind: INDEX_PHASES[phase].kind,
      ...{ files, chunks, semanticCoverage, readShare, unread },
      ...noteOf([...this.#notes, ...notes]),
    };
  }

  async begin(): Promise<void> {
    await this.#begin();
  }

  get progress(): IndexProgress {
    if (this.#opened !== undefined) return this.#opened.indexer.progress;
    const begun = this.#hasFailed ? 'off' : 'listing';
    return { phase: this.#opening === undefined ? 'not-begun' : begun, done: 0, total: 0 };
  }

  async status(): Promise<IndexStatus> {
    const opened = this.#opened;
    const memoryBytes = residentBytes();
    if (opened === undefined) {
      const { phase } = this.progress;
      return this.#withRoot({ ...NOTHING, phase, memoryBytes, notes: [...this.#notes] });
    }
    const { bytes, notes, ...state } = await opened.indexer.state();
    const files = await opened.store.files();
    const kept = opened.symbols?.state ?? { files: 0, bytes: 0 };
    return this.#withRoot({
      ...state,
      symbolFiles: kept.files,
      bytes: bytes === undefined ? undefined : bytes + kept.bytes,
      memoryBytes,
      leftOut: leftOutOf(files),
      notes: [...this.#notes, ...notes, ...(opened.symbols?.notes ?? [])],
    });
  }

  onProgress(listener: (progress: IndexProgress) => void): Disposable {
    return this.#progress.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opening;
    await this.#scope[Symbol.asyncDispose]();
  }

  /**
   * Waits for a limited time until the tree can be searched by words: otherwise the first question would find nothing. Waits
   * for vectors only if the process ends after the question.
   */
  async #waitFor(
    indexer: Indexer,
    { anyMs, mostMs }: Patience,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, indexing } = this.#options;
    let isAnyEnough = anyMs <= 0;
    const isEnough = ({ phase, done }: IndexProgress): boolean => {
      const { kind, isRead } = INDEX_PHASES[phase];
      if (indexing === 'when-asked' ? kind !== 'indexing' : isRead) return true;
      return isAnyEnough && (indexer.knowledge !== 'nothing' || (phase === 'reading' && done > 0));
    };
    if (isEnough(indexer.progress)) return;
    let resolveCaughtUp: () => void = () => {};
    const caughtUp = new Promise<void>((resolve) => {
      resolveCaughtUp = resolve;
    });
    const check = (progress: IndexProgress): void => {
      if (isEnough(progress)) resolveCaughtUp();
    };
    using _ = indexer.onProgress(check);
    using _any = clock.after(Math.max(0, anyMs), () => {
      isAnyEnough = true;
      check(indexer.progress);
    });
    const ended = new AbortController();
    const patience = delay(mostMs, clock, AbortSignal.any([signal, ended.signal]));
    try {
      await Promise.race([caughtUp, patience]);
    } finally {
      ended.abort();
      // The abort rejects it, and no code awaits it any more.
      patience.catch(() => {});
    }
  }

  #patience(indexer: Indexer, waitMs: number | undefined): Patience {
    if (waitMs !== undefined) return allFor(waitMs);
    const mostMs = PATIENCE_MS[this.#options.indexing ?? 'at-once'];
    const { knowledge } = indexer;
    if (this.#options.indexing === 'when-asked' || knowledge === 'whole') return allFor(mostMs);
    const sinceBegun = this.#options.clock.elapsed() - this.#begunAt;
    return { anyMs: FIRST_MS[knowledge] - sinceBegun, mostMs };
  }

  #withRoot(status: Omit<IndexStatus, 'roots'>): IndexStatus {
    const { phase, done, total, files, chunks, readShare, semanticCoverage } = status;
    const own = { phase, done, total, files, chunks, readShare, semanticCoverage };
    return { ...status, roots: [{ name: '', path: this.#options.root.path, ...own }] };
  }

  #begin(): Promise<OpenedIndex | undefined> {
    if (this.#opening === undefined) this.#begunAt = this.#options.clock.elapsed();
    this.#opening ??= this.#open().catch((thrown: unknown) => {
      this.#hasFailed = true;
      this.#note(`the index cannot be used: ${messageOf(thrown)}`);
      return undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<OpenedIndex> {
    const { tree, clock, reader } = this.#options;
    const embedder = await this.#openEmbedder();
    const store = await this.#openStore(embedder);
    const symbols = await this.#openSymbols();
    const indexer = this.#scope.use(
      new Indexer({ tree: tree.start(), store, symbols, embedder, clock, reader }),
    );
    this.#scope.use(indexer.onProgress((progress) => this.#progress.emit(progress)));
    this.#opened = { store, embedder, indexer, symbols };
    return this.#opened;
  }

  async #openEmbedder(): Promise<Embedder | undefined> {
    const opened = await openEmbedder(this.#options.embedder, { clock: this.#options.clock });
    if (opened.kind === 'none') {
      this.#note(`search goes by words alone: ${opened.reason}`);
      return undefined;
    }
    this.#scope.defer(() => opened.embedder.close());
    return opened.embedder;
  }

  async #openStore(embedder: Embedder | undefined): Promise<Store> {
    const { folder, rootId, store: settings, clock } = this.#options;
    const opened = await openStore(settings, { folder, rootId, embedder, clock });
    if (!opened.ok) throw new Error(opened.error);
    void this.#sweep();
    return this.#scope.use(opened.value);
  }

  async #openSymbols(): Promise<SymbolStore | undefined> {
    const sqlite = await loadSqlite();
    if (!sqlite.ok) return undefined;
    const { folder } = this.#options;
    return this.#scope.use(await SymbolStore.open({ folder, open: sqlite.value }));
  }

  /** Removes indexes that are no longer used. */
  async #sweep(): Promise<void> {
    const { root, folder, clock, logger } = this.#options;
    try {
      await markUsed(folder, root.path, clock);
      const sqlite = await loadSqlite();
      if (sqlite.ok) await sweepIndexes({ base: dirname(folder), clock, open: sqlite.value });
    } catch (thrown) {
      logger.log('debug', 'indexes were not swept', { reason: messageOf(thrown) });
    }
  }

  unusable(): CodedError {
    const message = `${this.#notes.join('; ')}. Use search_code instead.`;
    return new CodedError('index-unusable', message, { data: { notes: this.#notes } });
  }

  #note(note: string): void {
    this.#notes.push(note);
    this.#options.logger.log('warn', note);
  }
}

function standingOf({ progress, knowledge }: Indexer): Searchable['standing'] {
  if (INDEX_PHASES[progress.phase].isRead) return 'read';
  return progress.phase === 'listing' && knowledge === 'of-before' ? 'comparing' : 'reading';
}

/** Waits for the whole tree. */
function allFor(mostMs: number): Patience {
  return { anyMs: mostMs, mostMs };
}

function noteOf(notes: readonly string[]): { readonly note?: string } {
  return notes.length === 0 ? {} : { note: notes.join('; ') };
}

function leftOutOf(files: ReadonlyMap<string, { readonly hash: string }>): IndexStatus['leftOut'] {
  const of = (reason: string): LeftOut => {
    const paths = [...files].flatMap(([path, { hash }]) =>
      whyLeftOut(hash) === reason ? [path] : [],
    );
    return { count: paths.length, examples: paths.toSorted().slice(0, MOST_EXAMPLES) };
  };
  return { tooLarge: of('too-large'), binary: of('binary') };
}
