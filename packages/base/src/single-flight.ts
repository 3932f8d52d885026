// Concurrent callers of the same work share one run and get the same outcome.

export class SingleFlight<Key, T> {
  readonly #inFlight = new Map<Key, Promise<T>>();

  /** Joins the running work for `key`, or starts it. Nothing is kept once it has settled. */
  run(key: Key, work: () => Promise<T>): Promise<T> {
    const joined = this.#inFlight.get(key);
    if (joined !== undefined) return joined;
    // Work that throws before it returns a promise must be removed like any other.
    const started = (async () => await work())();
    this.#inFlight.set(key, started);
    const remove = (): void => void this.#inFlight.delete(key);
    // Attached before any caller joins, so that the key is free when the callers get the outcome.
    started.then(remove, remove);
    return started;
  }

  /** Whether work for `key` is running. */
  has(key: Key): boolean {
    return this.#inFlight.has(key);
  }

  get size(): number {
    return this.#inFlight.size;
  }
}
