// Keeps a store up to date with a tree: first takes what changed while no indexer ran, then every change, and computes
// vectors in the background. Of several processes, one does the work and the others follow. The caller closes all parts
// that it passes.

import { type Clock, Emitter, messageOf, shared, systemClock } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type {
  ListedFile,
  TreeFollower,
  TreeListener,
  TreeState,
  TreeSubscription,
} from '../scan/index.ts';
import { giveBackMemory } from '../platform/index.ts';
import type { Store } from '../store/index.ts';
import type { SymbolStore } from '../symbols/index.ts';
import type { FileReader } from './file-reader.ts';
import { FileIntake } from './file-intake.ts';
import { INDEX_PHASES, type IndexPhase, type IndexProgress } from './index-phase.ts';
import { VectorFiller } from './vector-filler.ts';

export interface IndexerParts {
  readonly tree: TreeFollower;
  readonly store: Store;
  /** Where symbols are stored, if at all. */
  readonly symbols?: SymbolStore | undefined;
  readonly reader: Pick<FileReader, 'read' | 'prepare'>;
  readonly embedder?: Embedder | undefined;
  readonly clock?: Clock;
}

export interface IndexState extends IndexProgress {
  readonly files: number;
  readonly chunks: number;
  /** The share of chunks that have a vector, from 0 to 1. */
  readonly semanticCoverage: number;
  readonly bytes: number | undefined;
  /** The share of the tree's files that were read, from 0 to 1. */
  readonly readShare: number;
  /** Files that could not be read after several tries. */
  readonly unread: readonly string[];
  /** The latest problems, as sentences for people. */
  readonly notes: readonly string[];
}

const MOST_NOTES = 10;
/** Memory is cleaned up after this many steps of work (some dozen files or chunks each) or questions. */
const MUCH_WORK = 8;
/**
 * When memory is cleaned up after the last step: the second run releases what the first found to be empty. Both are
 * repeated once the processes that read have ended, since what was held for them is free only then.
 */
const CLEAN_UP_MS = [2_000, 4_000, 12_000, 14_000];

export class Indexer implements AsyncDisposable {
  readonly #parts: IndexerParts;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #progress = new Emitter<IndexProgress>((thrown) => this.#note(messageOf(thrown)));
  readonly #notes: string[] = [];
  readonly #takeover: Disposable;
  readonly #subscription: TreeSubscription;
  #tree: TreeState = { kind: 'listing' };
  /** The index had files when it was opened. */
  #knewFiles = false;
  #wasRead = false;
  #intake: FileIntake | undefined;
  #filler: VectorFiller | undefined;
  /** Opening an index counts as much work. */
  #work = MUCH_WORK;
  #cleaning: readonly Disposable[] = [];
  #covered = { done: 0, total: 0 };
  #takingListing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    shared(this.#stop.signal);
    this.#takeover = parts.store.onWriter(() => this.#subscription.relist());
    this.#subscription = parts.tree.follow(this.#listener());
    void this.#prepare();
  }

  /** Starts the processes that read while an unknown tree is being listed. */
  async #prepare(): Promise<void> {
    const { store, reader } = this.#parts;
    const { files } = await store.state().catch(() => ({ files: undefined }));
    this.#knewFiles = files !== undefined && files > 0;
    const isUnknown = files === 0 && store.role === 'writer';
    if (isUnknown && !this.#stop.signal.aborted) reader.prepare();
  }

  get progress(): IndexProgress {
    const phase = this.#phase();
    if (phase === 'reading') return { phase, ...(this.#intake?.progress ?? { done: 0, total: 0 }) };
    return { phase, ...this.#covered };
  }

  /** From 0 to 1. Only the process that writes the index knows it; for the others it is 1. */
  get readShare(): number {
    if (this.#phase() === 'following') return 1;
    return this.#intake?.readShare ?? (this.#knewFiles ? 1 : 0);
  }

  /** `of-before`: the index of an earlier process, still to be compared with the tree; `whole`: the tree was read once. */
  get knowledge(): 'nothing' | 'of-before' | 'whole' {
    if (this.#wasRead) return 'whole';
    return this.#knewFiles ? 'of-before' : 'nothing';
  }

  /** Calls `listener` after every step, until the result is disposed of. */
  onProgress(listener: (progress: IndexProgress) => void): Disposable {
    return this.#progress.on(listener);
  }

  async state(): Promise<IndexState> {
    const { store, embedder } = this.#parts;
    const { files, chunks, vectors, bytes, notes } = await store.state(embedder?.id);
    const covered = embedder === undefined ? 0 : vectors;
    return {
      ...this.progress,
      files,
      chunks,
      semanticCoverage: chunks === 0 ? 0 : covered / chunks,
      bytes,
      readShare: this.readShare,
      unread: this.#intake?.unread ?? [],
      notes: [...notes, ...this.#notes],
    };
  }

  /** Counts a question that was answered from the index, which leaves garbage as well. */
  answered(): void {
    this.#work += 1;
    this.#cleanUp();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#takeover[Symbol.dispose]();
    this.#stop.abort();
    this.#cleaning.forEach((timer) => timer[Symbol.dispose]());
    this.#subscription[Symbol.dispose]();
    await this.#takingListing;
    await this.#intake?.idle();
    await this.#filler?.idle();
    this.#report();
  }

  #phase(): IndexPhase {
    if (this.#stop.signal.aborted) return 'closed';
    if (this.#tree.kind === 'gone') return 'root-gone';
    if (this.#parts.store.role === 'reader') return 'following';
    if (this.#intake?.isIdle === false) return 'reading';
    if (this.#tree.kind === 'listing' || this.#intake === undefined) return 'listing';
    return this.#filler === undefined || this.#filler.isIdle ? 'ready' : 'embedding';
  }

  #listener(): TreeListener {
    return {
      onListing: (files) => {
        this.#takingListing = this.#take(files);
        return this.#takingListing;
      },
      onChange: (changed, removed) => {
        this.#intake?.takeChange(changed, removed);
      },
      // The next listing includes what was missed.
      onDoubt: () => undefined,
      onState: (state) => {
        this.#tree = state;
        if (state.kind === 'listing') this.#intake?.listingBegins();
        if (state.kind === 'unwatched') {
          this.#note(
            `changes are not seen at once, since the tree cannot be watched: ${state.reason}`,
          );
        }
        this.#report();
      },
    };
  }

  async #take(files: readonly ListedFile[]): Promise<void> {
    if (this.#stop.signal.aborted) return;
    if (this.#parts.store.role === 'writer') (await this.#openIntake()).takeListing(files);
    this.#filler?.poke();
  }

  async #openIntake(): Promise<FileIntake> {
    if (this.#intake !== undefined) return this.#intake;
    const { store, symbols, reader, embedder } = this.#parts;
    const common = {
      ...{ store, symbols, reader, signal: this.#stop.signal },
      onProgress: () => void this.#count(),
      onProblem: (message: string) => this.#note(message),
    };
    const intake = await FileIntake.open({
      ...common,
      signatures: embedder?.pace === 'as-read' ? 'of-all' : 'of-reread',
      onSignatures: async (signatures) => this.#filler?.take(signatures),
      onProgress: () => {
        this.#filler?.poke();
        common.onProgress();
      },
    });
    this.#intake = intake;
    if (embedder !== undefined) {
      this.#filler = new VectorFiller({ ...common, embedder, intake, clock: this.#clock });
    }
    return intake;
  }

  /** Schedules the release of memory for when the work is over. */
  #cleanUp(): void {
    const isReady = INDEX_PHASES[this.#phase()].kind === 'ready';
    if (this.#work < MUCH_WORK || !isReady) return;
    this.#cleaning.forEach((timer) => timer[Symbol.dispose]());
    this.#cleaning = CLEAN_UP_MS.map((ms) =>
      this.#clock.after(ms, () => {
        this.#work = 0;
        giveBackMemory();
      }),
    );
  }

  async #count(): Promise<void> {
    this.#work += 1;
    const { store, embedder } = this.#parts;
    const { vectors, chunks } = await store.state(embedder?.id);
    this.#covered =
      embedder === undefined ? { done: chunks, total: chunks } : { done: vectors, total: chunks };
    this.#report();
  }

  #report(): void {
    this.#cleanUp();
    const { progress } = this;
    this.#wasRead ||= progress.phase === 'ready' || progress.phase === 'embedding';
    this.#progress.emit(progress);
  }

  #note(note: string): void {
    if (this.#notes.includes(note)) return;
    this.#notes.push(note);
    if (this.#notes.length > MOST_NOTES) this.#notes.shift();
  }
}
