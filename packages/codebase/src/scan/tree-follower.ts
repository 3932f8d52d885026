// Follows one tree for several listeners with one watcher: a listing for each listener that needs one, then every
// change. Lists again where only that helps, and when the root was removed and came back.

import { type Clock, codeOf, messageOf } from '@plugboard/base';
import { entryFacts } from '../platform/index.ts';
import { listFiles, type ListedFile } from './list-files.ts';
import { Surroundings } from './surroundings.ts';
import { type TreeWatch, watchTree } from './watch-tree.ts';

export interface TreeListener {
  onListing(files: readonly ListedFile[]): Promise<void>;
  /** `removed` also names folders. */
  onChange(changed: readonly string[], removed: readonly string[]): void;
  /** Events were lost: nothing is certain until the next listing. */
  onDoubt(): void;
  onState(state: TreeState): void;
}

export type TreeState =
  | { readonly kind: 'listing' }
  | { readonly kind: 'following' }
  | { readonly kind: 'gone' }
  /** It is listed, but changes are not reported; it is listed again at intervals. */
  | { readonly kind: 'unwatched'; readonly reason: string };

export interface TreeSubscription extends Disposable {
  /** Lists once more for this listener, as soon as it can. */
  relist(): void;
}

/** How often the root is looked at: whether it is there, and still the same, and what is around it. */
const LOOK_MS = 1_000;
/** How often a tree that cannot be watched is listed. */
const RELIST_MS = 30_000;

export class TreeFollower implements AsyncDisposable {
  readonly #root: { readonly path: string };
  readonly #clock: Clock;
  readonly #listeners = new Set<TreeListener>();
  /** Those that wait for a listing. */
  readonly #due = new Set<TreeListener>();
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;
  readonly #started: Promise<void>;
  #tellStarted: () => void = () => {};
  #isWatching = false;
  /** The watcher missed something. */
  #hasLost = false;
  #wake: (() => void) | undefined;

  constructor(root: { readonly path: string }, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
    this.#started = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
  }

  /** Begins to list and to watch, once. Until then listeners hear nothing. */
  start(): this {
    this.#ended ??= this.#run();
    return this;
  }

  /** Resolves when changes are told from now on, or when it is known that they cannot be. */
  get started(): Promise<void> {
    return this.#started;
  }

  /** Whether every change is told from now on. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** The listener gets a listing first, whenever that is ready. */
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
        this.#tellStarted();
        this.#tellState({ kind: 'gone' }, this.#listeners);
        await this.#pause(LOOK_MS);
        continue;
      }
      await this.#followOnce(identity);
    }
    this.#tellStarted();
  }

  /** Until the root is gone or another one, or has to be watched again. */
  async #followOnce(identity: number): Promise<void> {
    this.#hasLost = false;
    const surroundings = new Surroundings(this.#root.path);
    await surroundings.haveChanged();
    const watch = await this.#watch();
    this.#isWatching = watch !== undefined && !this.#isOver;
    this.#tellStarted();
    try {
      this.#allAreDue();
      let quietMs = 0;
      while (!this.#isOver && !this.#hasLost && (await this.#identity()) === identity) {
        if (await surroundings.haveChanged()) {
          watch?.forgetRules();
          this.#doubt();
        }
        if (watch === undefined && quietMs >= RELIST_MS) this.#allAreDue();
        if (this.#due.size > 0) {
          quietMs = 0;
          await this.#list(identity);
        }
        if (this.#due.size === 0) await this.#pause(LOOK_MS);
        quietMs += LOOK_MS;
      }
    } finally {
      this.#isWatching = false;
      await watch?.[Symbol.asyncDispose]();
      this.#doubt();
    }
  }

  async #watch(): Promise<TreeWatch | undefined> {
    try {
      return await watchTree(this.#root, (change) => {
        if (this.#isOver) return;
        if (change.kind === 'relist') {
          this.#hasLost ||= change.reason === 'events-lost';
          this.#doubt();
        } else {
          for (const one of this.#listeners) one.onChange(change.changed, change.removed);
        }
      });
    } catch (thrown) {
      this.#tellState({ kind: 'unwatched', reason: messageOf(thrown) }, this.#listeners);
      return undefined;
    }
  }

  #allAreDue(): void {
    for (const listener of this.#listeners) this.#due.add(listener);
  }

  #doubt(): void {
    if (this.#isOver) return;
    for (const listener of this.#listeners) listener.onDoubt();
    this.#allAreDue();
    this.#wake?.();
  }

  #tellState(state: TreeState, to: Iterable<TreeListener>): void {
    for (const listener of to) listener.onState(state);
  }

  async #list(identity: number): Promise<void> {
    const asked = [...this.#due];
    this.#due.clear();
    this.#tellState({ kind: 'listing' }, asked);
    try {
      const files: ListedFile[] = [];
      const { signal } = this.#stop;
      for await (const file of listFiles(this.#root, signal, { priority: 'low' })) files.push(file);
      // Of a tree that went away meanwhile only a part was seen.
      if ((await this.#identity()) !== identity) return;
      const present = asked.filter((listener) => this.#listeners.has(listener));
      await Promise.all(present.map((listener) => listener.onListing(files)));
      if (this.#isWatching) this.#tellState({ kind: 'following' }, present);
    } catch (thrown) {
      // The next look finds out that the root is gone; anything else is tried again with it.
      if (this.#isOver) return;
      if (!['root-gone', 'listing-ended'].includes(codeOf(thrown) ?? '')) {
        this.#tellState({ kind: 'unwatched', reason: messageOf(thrown) }, asked);
      }
      await this.#pause(LOOK_MS);
      for (const listener of asked) if (this.#listeners.has(listener)) this.#due.add(listener);
    }
  }

  /** Another number where another folder has the same path. */
  async #identity(): Promise<number | undefined> {
    return (await entryFacts(this.#root.path, '.'))?.ino;
  }

  /** Ends early when something is to be done. */
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
