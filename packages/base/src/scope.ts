// A scope owns the resources that were opened in it, and closes them in reverse order, exactly once. It replaces
// AsyncDisposableStack, which Node 20 lacks, and adds a signal for code that waits inside the scope.

type Release = () => void | Promise<void>;

export class Scope implements AsyncDisposable {
  readonly #controller = new AbortController();
  readonly #releases: Release[] = [];
  readonly #failures: unknown[] = [];
  #phase: 'open' | 'closing' | 'closed' = 'open';
  #released: Promise<void> = Promise.resolve();

  /** Aborts as soon as the scope starts to close, before anything is released. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isClosed(): boolean {
    return this.#phase !== 'open';
  }

  /** Runs `release` when the scope closes; at once if it has closed already. */
  defer(release: Release): void {
    this.#releases.push(release);
    // A resource that was opened too late must not leak.
    if (this.#phase === 'closed') this.#beginRelease();
  }

  /** Takes ownership of a disposable, and returns it. */
  use<T extends Disposable | AsyncDisposable>(owned: T): T {
    this.defer(() =>
      Symbol.asyncDispose in owned
        ? Promise.resolve(owned[Symbol.asyncDispose]())
        : owned[Symbol.dispose](),
    );
    return owned;
  }

  /**
   * Closes everything in reverse order, even if a release throws. Every call waits for the end and rejects with the
   * failures; a release must not wait for it.
   */
  async close(reason: unknown = new Error('scope closed')): Promise<void> {
    if (this.#phase === 'open') {
      this.#beginRelease();
      this.#controller.abort(reason);
    }
    await this.#released;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #beginRelease(): void {
    this.#phase = 'closing';
    this.#released = this.#releaseAll();
    this.#released.catch(() => {
      // The caller of `close` gets the error.
    });
  }

  async #releaseAll(): Promise<void> {
    // The first release must find the signal aborted.
    await Promise.resolve();
    for (let next = this.#releases.pop(); next !== undefined; next = this.#releases.pop()) {
      try {
        await next();
      } catch (failure) {
        this.#failures.push(failure);
      }
    }
    this.#phase = 'closed';
    if (this.#failures.length === 1) throw this.#failures[0];
    if (this.#failures.length > 1) {
      throw new AggregateError(this.#failures, 'several releases failed');
    }
  }
}
