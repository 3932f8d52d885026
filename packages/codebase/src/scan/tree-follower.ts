// Follows one tree for several listeners with one watcher: each listener receives a listing when it needs one, then every
// change. The tree is listed again after lost events, and when the root was removed and is back.

import { type Clock, codeOf, messageOf } from '@plugboard/base';
import { entryFacts } from '../platform/index.ts';
import { listFiles, type ListedFile } from './list-files.ts';
import { Surroundings } from './surroundings.ts';
import { TreeWatch } from './watch-tree.ts';

export interface TreeListener {
  onListing(files: readonly ListedFile[]): Promise<void>;
  /** `removed` may contain folders. */
  onChange(changed: readonly string[], removed: readonly string[]): void;
  /** Called when events were lost: the last listing may be wrong until the next one. */
  onDoubt(): void;
  onState(state: TreeState): void;
}

export type TreeState =
  | { readonly kind: 'listing' }
  | { readonly kind: 'following' }
  | { readonly kind: 'gone' }
  /** Changes are not reported; the tree is listed at intervals instead. */
  | { readonly kind: 'unwatched'; readonly reason: string };

export interface TreeSubscription extends Disposable {
  /** Requests another listing for this listener. */
  relist(): void;
}

/** How often the root and its surroundings are checked. */
const CHECK_MS = 1_000;
/** How often a tree that cannot be watched is listed. */
const RELIST_MS = 30_000;

export class TreeFollower implements AsyncDisposable {
  readonly #root: { readonly path: string };
  readonly #clock: Clock;
  readonly #listeners = new Set<TreeListener>();
  /** Listeners that wait for a listing. */
  readonly #due = new Set<TreeListener>();
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;
  readonly #started: Promise<void>;
  #resolveStarted: () => void = () => {};
  #isWatching = false;
  /** The watcher lost events. */
  #hasLost = false;
  #wake: (() => void) | undefined;

  constructor(root: { readonly path: string }, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
    this.#started = new Promise((resolve) => {
      this.#resolveStarted = resolve;
    });
  }

  /** Begins to list and to watch, once. Until then listeners are not called. */
  start(): this {
    this.#ended ??= this.#run();
    return this;
  }

  /** Resolves when changes are being reported, or when it is known that they cannot be. */
  get started(): Promise<void> {
    return this.#started;
  }

  /** Whether every change is being reported. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Adds a listener, which receives a listing first. */
  follow(listener: TreeListener): TreeSubscription {
    const relist = (): void => {
      if (!this.#listeners.has(listener)) return;
      this.#due.add(listener);
      this.#wake?.();
    };
    this.#listeners.add(listener);
    relist();
    return {
      relist,
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        this.#due.delete(listener);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#ended;
  }

  get #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const identity = await this.#identity();
      if (identity === undefined) {
        this.#resolveStarted();
        this.#reportState({ kind: 'gone' }, this.#listeners);
        await this.#pause(CHECK_MS);
        continue;
      }
      await this.#followOnce(identity);
    }
    this.#resolveStarted();
  }

  /** Follows until the root is gone or replaced, or has to be watched again. */
  async #followOnce(identity: number): Promise<void> {
    this.#hasLost = false;
    const surroundings = new Surroundings(this.#root.path);
    await surroundings.haveChanged();
    const watch = await this.#watch();
    this.#isWatching = watch !== undefined && !this.#isOver;
    this.#resolveStarted();
    try {
      this.#requestAll();
      let quietMs = 0;
      while (!this.#isOver && !this.#hasLost && (await this.#identity()) === identity) {
        if (await surroundings.haveChanged()) {
          watch?.forgetRules();
          this.#reportDoubt();
        }
        if (watch === undefined && quietMs >= RELIST_MS) this.#requestAll();
        if (this.#due.size > 0) {
          quietMs = 0;
          await this.#list(identity);
        }
        if (this.#due.size === 0) await this.#pause(CHECK_MS);
        quietMs += CHECK_MS;
      }
    } finally {
      this.#isWatching = false;
      await watch?.[Symbol.asyncDispose]();
      this.#reportDoubt();
    }
  }

  async #watch(): Promise<TreeWatch | undefined> {
    try {
      return await TreeWatch.open(this.#root, (change) => {
        if (this.#isOver) return;
        if (change.kind === 'relist') {
          this.#hasLost ||= change.reason === 'events-lost';
          this.#reportDoubt();
        } else {
          for (const one of this.#listeners) one.onChange(change.changed, change.removed);
        }
      });
    } catch (thrown) {
      this.#reportState({ kind: 'unwatched', reason: messageOf(thrown) }, this.#listeners);
      return undefined;
    }
  }

  #requestAll(): void {
    for (const listener of this.#listeners) this.#due.add(listener);
  }

  #reportDoubt(): void {
    if (this.#isOver) return;
    for (const listener of this.#listeners) listener.onDoubt();
    this.#requestAll();
    this.#wake?.();
  }

  #reportState(state: TreeState, to: Iterable<TreeListener>): void {
    for (const listener of to) listener.onState(state);
  }

  async #list(identity: number): Promise<void> {
    const waiting = [...this.#due];
    this.#due.clear();
    this.#reportState({ kind: 'listing' }, waiting);
    try {
      const files: ListedFile[] = [];
      const { signal } = this.#stop;
      for await (const file of listFiles(this.#root, signal, 'low')) files.push(file);
      // If the root was removed meanwhile, the listing is incomplete.
      if ((await this.#identity()) !== identity) return;
      const present = waiting.filter((listener) => this.#listeners.has(listener));
      await Promise.all(present.map((listener) => listener.onListing(files)));
      if (this.#isWatching) this.#reportState({ kind: 'following' }, present);
    } catch (thrown) {
      // The next check finds out whether the root is gone; anything else is tried again.
      if (this.#isOver) return;
      if (!['root-gone', 'listing-ended'].includes(codeOf(thrown) ?? '')) {
        this.#reportState({ kind: 'unwatched', reason: messageOf(thrown) }, waiting);
      }
      await this.#pause(CHECK_MS);
      for (const listener of waiting) if (this.#listeners.has(listener)) this.#due.add(listener);
    }
  }

  /** The inode of the root, which changes if another folder takes its path; `undefined` if it is gone. */
  async #identity(): Promise<number | undefined> {
    return (await entryFacts(this.#root.path, '.'))?.ino;
  }

  /** Ends early when `#wake` is called. */
  async #pause(ms: number): Promise<void> {
    if (this.#isOver) return;
    let timer: Disposable | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = this.#clock.after(ms, resolve);
    });
    timer?.[Symbol.dispose]();
    this.#wake = undefined;
  }
}
