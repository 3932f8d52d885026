// Keeps a store up to date with a tree, for as long as it is open: what it missed while nobody looked, then every
// change, and vectors in the background. Of several processes one does the work and the others follow. The store, the
// chunker and the embedder are the caller's to close.

import { type Clock, Emitter, messageOf, shared, systemClock } from '@plugboard/base';
import type { Chunker } from '../chunk/index.ts';
import type { Embedder } from '../embed/index.ts';
import type { ListedFile, Root } from '../scan/index.ts';
import type { Store } from '../store/index.ts';
import { type Analyse, analyseCode } from './analyse.ts';
import { FileIntake } from './file-intake.ts';
import { TreeFollower, type TreeState } from './tree-follower.ts';
import { VectorFiller } from './vector-filler.ts';

/** Whatever else wants to know what is in the tree, such as an index for text search. */
export interface TreeIndex {
  update(listing: Iterable<ListedFile>): Promise<void>;
  tell(changed: readonly string[], removed: readonly string[]): void;
  doubt(): void;
}

export interface IndexerParts {
  readonly root: Root;
  readonly store: Store;
  readonly chunker: Pick<Chunker, 'chunk'>;
  readonly embedder?: Embedder | undefined;
  readonly analyse?: Analyse;
  readonly text?: TreeIndex;
  readonly clock?: Clock;
}

export type IndexPhase =
  | 'listing'
  | 'reading'
  | 'embedding'
  | 'ready'
  /** Another process keeps the index up to date. */
  | 'following'
  /** The index is as it was when the root was last there. */
  | 'root-gone'
  | 'closed';

export interface IndexProgress {
  readonly phase: IndexPhase;
  /** Files while reading, chunks while embedding. */
  readonly done: number;
  readonly total: number;
}

export interface IndexState extends IndexProgress {
  readonly files: number;
  readonly chunks: number;
  /** The share of chunks that have a vector, from 0 to 1. */
  readonly semanticCoverage: number;
  readonly bytes: number | undefined;
  /** What is worse than it should be, in sentences for people; the last ones. */
  readonly notes: readonly string[];
}

const MOST_NOTES = 10;

export class Indexer implements AsyncDisposable {
  readonly #parts: IndexerParts;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #progress = new Emitter<IndexProgress>((thrown) => this.#note(messageOf(thrown)));
  readonly #notes: string[] = [];
  readonly #roles: Disposable;
  readonly #follower: TreeFollower;
  #tree: TreeState = { kind: 'listing' };
  #intake: FileIntake | undefined;
  #filler: VectorFiller | undefined;
  #covered = { done: 0, total: 0 };
  #closing: Promise<void> | undefined;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    shared(this.#stop.signal);
    this.#roles = parts.store.onRole(() => this.#follower.relist());
    this.#follower = new TreeFollower(parts.root, this.#listener(), this.#clock);
  }

  get progress(): IndexProgress {
    const phase = this.#phase();
    if (phase === 'reading') return { phase, ...(this.#intake?.progress ?? { done: 0, total: 0 }) };
    return { phase, ...this.#covered };
  }

  /** Told whenever something was done; disposing of the answer ends it. */
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
      notes: [...notes, ...this.#notes],
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#roles[Symbol.dispose]();
    this.#stop.abort();
    await this.#follower[Symbol.asyncDispose]();
    await this.#intake?.idle();
    await this.#filler?.idle();
    this.#tell();
  }

  #phase(): IndexPhase {
    if (this.#stop.signal.aborted) return 'closed';
    if (this.#tree.kind === 'gone') return 'root-gone';
    if (this.#parts.store.role === 'reader') return 'following';
    if (this.#intake?.isIdle === false) return 'reading';
    if (this.#tree.kind === 'listing' || this.#intake === undefined) return 'listing';
    return this.#filler === undefined || this.#filler.isIdle ? 'ready' : 'embedding';
  }

  #listener(): ConstructorParameters<typeof TreeFollower>[1] {
    const { text } = this.#parts;
    return {
      onListing: async (files) => {
        await text?.update(files);
        if (this.#parts.store.role === 'writer') (await this.#openIntake()).takeListing(files);
        this.#filler?.poke();
      },
      onChange: (changed, removed) => {
        text?.tell(changed, removed);
        this.#intake?.takeChange(changed, removed);
      },
      onDoubt: () => text?.doubt(),
      onState: (state) => {
        this.#tree = state;
        if (state.kind === 'listing') this.#intake?.listingBegins();
        if (state.kind === 'unwatched') {
          this.#note(
            `changes are not seen at once, since the tree cannot be watched: ${state.reason}`,
          );
        }
        this.#tell();
      },
    };
  }

  async #openIntake(): Promise<FileIntake> {
    const { root, store, chunker, embedder, analyse = analyseCode } = this.#parts;
    const common = {
      ...{ root, store, chunker, signal: this.#stop.signal },
      onProgress: () => void this.#count(),
      onProblem: (message: string) => this.#note(message),
    };
    const onProgress = (): void => {
      this.#filler?.poke();
      common.onProgress();
    };
    const intake = this.#intake ?? (await FileIntake.open({ ...common, analyse, onProgress }));
    this.#intake = intake;
    if (embedder !== undefined) {
      const turn = (): Promise<void> => intake.idle();
      this.#filler ??= new VectorFiller({ ...common, embedder, clock: this.#clock, turn });
    }
    return intake;
  }

  async #count(): Promise<void> {
    const { store, embedder } = this.#parts;
    const { vectors, chunks } = await store.state(embedder?.id);
    this.#covered =
      embedder === undefined ? { done: chunks, total: chunks } : { done: vectors, total: chunks };
    this.#tell();
  }

  #tell(): void {
    this.#progress.emit(this.progress);
  }

  #note(note: string): void {
    if (this.#notes.includes(note)) return;
    this.#notes.push(note);
    if (this.#notes.length > MOST_NOTES) this.#notes.shift();
  }
}
