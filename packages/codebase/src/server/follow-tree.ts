// Follows the tree for all sessions: keeps the trigram index in step with every change and tells who listens. Where the
// system cannot watch, text search still answers, by reading everything.

import { type Clock, delay, Emitter, type Logger, messageOf, Scope } from '@plugboard/base';
import { listFiles, type TreeChange, watchTree } from '../scan/index.ts';
import type { TextSearch, TrigramIndex } from '../text/index.ts';
import type { TreeChanges } from './parts/codebase-parts.ts';

export interface FollowOptions {
  readonly root: { readonly path: string };
  readonly trigrams: TrigramIndex;
  readonly text: Pick<TextSearch, 'forget'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long clients wait for a large tree to be watched before they are served without. */
const PATIENCE_MS = 1000;

export class TreeFollower implements TreeChanges, AsyncDisposable {
  readonly #options: FollowOptions;
  readonly #scope = new Scope();
  readonly #changes: Emitter<void>;
  #isWatching = false;
  #starting: Promise<void> = Promise.resolve();
  #listing: Promise<void> | undefined;
  /** Something came that the listing at hand may have missed. */
  #isListingStale = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#changes = new Emitter((thrown) =>
      options.logger.log('warn', 'a listener failed', { reason: messageOf(thrown) }),
    );
  }

  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Resolves when changes are seen from now on, or after a moment; the index fills in the background. */
  async start(): Promise<void> {
    this.#starting = this.#watch();
    const patience = delay(PATIENCE_MS, this.#options.clock, this.#scope.signal).catch(() => {
      // Closed meanwhile: nobody is served any more.
    });
    await Promise.race([this.#starting, patience]);
  }

  async #watch(): Promise<void> {
    const { root, logger } = this.#options;
    try {
      this.#scope.use(await watchTree(root, (change) => this.#take(change)));
    } catch (thrown) {
      const reason = messageOf(thrown);
      logger.log('warn', 'the tree cannot be watched; searches read all files', { reason });
      return;
    }
    this.#isWatching = !this.#scope.isClosed;
    this.#relist();
  }

  on(listener: () => void): Disposable {
    return this.#changes.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isWatching = false;
    await this.#scope[Symbol.asyncDispose]();
    await this.#starting;
    await this.#listing;
  }

  #take(change: TreeChange): void {
    const { trigrams, text } = this.#options;
    if (change.kind === 'files') {
      trigrams.tell(change.changed, change.removed);
    } else {
      trigrams.doubt();
      this.#relist();
    }
    text.forget();
    this.#changes.emit();
  }

  #relist(): void {
    if (this.#scope.isClosed) return;
    if (this.#listing !== undefined) {
      this.#isListingStale = true;
      return;
    }
    this.#isListingStale = false;
    this.#listing = this.#list().finally(() => {
      this.#listing = undefined;
      if (this.#isListingStale) this.#relist();
    });
  }

  async #list(): Promise<void> {
    const { root, trigrams, logger } = this.#options;
    const { signal } = this.#scope;
    try {
      await trigrams.update(listFiles(root, signal, { priority: 'low' }));
    } catch (thrown) {
      if (signal.aborted) return;
      // The index stays as doubtful as it is: searches read all files.
      logger.log('warn', 'the files could not be listed', { reason: messageOf(thrown) });
    }
  }
}
