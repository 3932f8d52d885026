// Knows the tree from a listing and then from what the watcher tells. Lists anew where only that helps, and where the
// root itself went away and came back. What is done with it is the listener's business.

import { type Clock, codeOf, messageOf } from '@plugboard/base';
import { entryFacts } from '../platform/index.ts';
import { listFiles, type ListedFile, type Root, type TreeWatch, watchTree } from '../scan/index.ts';

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
  /** It is listed, but nobody tells what changes; it is listed again every so often. */
  | { readonly kind: 'unwatched'; readonly reason: string };

/** How often the root is looked at: whether it is there, and still the same. */
const LOOK_MS = 1_000;
/** How often a tree that cannot be watched is listed. */
const RELIST_MS = 30_000;

export class TreeFollower implements AsyncDisposable {
  readonly #root: Root;
  readonly #listener: TreeListener;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #relist = false;
  #wake: (() => void) | undefined;

  constructor(root: Root, listener: TreeListener, clock: Clock) {
    this.#root = root;
    this.#listener = listener;
    this.#clock = clock;
    this.#ended = this.#run();
  }

  /** Lists once more, as soon as it can. */
  relist(): void {
    this.#relist = true;
    this.#wake?.();
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
        this.#listener.onState({ kind: 'gone' });
        await this.#pause(LOOK_MS);
        continue;
      }
      await this.#followOnce(identity);
    }
  }

  /** Until the root is gone or another one. */
  async #followOnce(identity: number): Promise<void> {
    const watch = await this.#watch();
    try {
      this.#relist = true;
      let quietMs = 0;
      while (!this.#isOver && (await this.#identity()) === identity) {
        if (this.#relist || (watch === undefined && quietMs >= RELIST_MS)) {
          quietMs = 0;
          await this.#list(watch, identity);
        }
        if (!this.#relist) await this.#pause(LOOK_MS);
        quietMs += LOOK_MS;
      }
    } finally {
      await watch?.[Symbol.asyncDispose]();
    }
  }

  async #watch(): Promise<TreeWatch | undefined> {
    try {
      return await watchTree(this.#root, (change) => {
        if (this.#isOver) return;
        if (change.kind === 'files') {
          this.#listener.onChange(change.changed, change.removed);
        } else {
          this.#listener.onDoubt();
          this.relist();
        }
      });
    } catch (thrown) {
      this.#listener.onState({ kind: 'unwatched', reason: messageOf(thrown) });
      return undefined;
    }
  }

  async #list(watch: TreeWatch | undefined, identity: number): Promise<void> {
    this.#relist = false;
    this.#listener.onState({ kind: 'listing' });
    try {
      const files: ListedFile[] = [];
      const { signal } = this.#stop;
      for await (const file of listFiles(this.#root, signal, { priority: 'low' })) files.push(file);
      // Of a tree that went away meanwhile only a part was seen.
      if ((await this.#identity()) !== identity) return;
      await this.#listener.onListing(files);
      if (watch !== undefined) this.#listener.onState({ kind: 'following' });
    } catch (thrown) {
      // The next look finds out that the root is gone; anything else is tried again with it.
      if (this.#isOver) return;
      if (codeOf(thrown) !== 'root-gone') {
        this.#listener.onState({ kind: 'unwatched', reason: messageOf(thrown) });
      }
      await this.#pause(LOOK_MS);
      this.#relist = true;
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
