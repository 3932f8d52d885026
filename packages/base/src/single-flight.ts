// Many ask for the same thing at once; the work is done once and all get its outcome.

export class SingleFlight<Key, T> {
  readonly #inFlight = new Map<Key, Promise<T>>();

  /** Joins the work under way for `key`, or starts it. Nothing is kept once it has settled. */
  run(key: Key, work: () => Promise<T>): Promise<T> {
    const joined = this.#inFlight.get(key);
    if (joined !== undefined) return joined;
    // Work that throws before it returns a promise must land like any other.
    const started = (async () => await work())();
    this.#inFlight.set(key, started);
    const land = (): void => void this.#inFlight.delete(key);
    // Attached before anyone joins, so that all who hear of the landing find the key free.
    started.then(land, land);
    return started;
  }

  /** Whether work for `key` is under way. */
  has(key: Key): boolean {
    return this.#inFlight.has(key);
  }

  get size(): number {
    return this.#inFlight.size;
  }
}
