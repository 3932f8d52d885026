// Work in progress that has to end before its owner is closed.

export class PendingWork {
  readonly #works = new Set<Promise<unknown>>();

  /** Remembers the work until it ends. */
  add<T>(work: Promise<T>): Promise<T> {
    const pending = work.finally(() => this.#works.delete(pending));
    this.#works.add(pending);
    return pending;
  }

  /** Resolves once all that is in progress has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#works);
  }
}
