// A typed list of listeners. If one throws, the others are still called.

export type Listener<Event> = (event: Event) => void;

export class Emitter<Event> {
  readonly #listeners = new Set<Listener<Event>>();
  readonly #onListenerError: (thrown: unknown) => void;

  constructor(onListenerError: (thrown: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  /** Listens until the returned value is disposed. */
  on(listener: Listener<Event>): Disposable {
    // A wrapper per subscription, so that the same function may listen twice and leave once.
    const own: Listener<Event> = (event) => listener(event);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      // A listener that was called earlier may have disposed of this one.
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(event);
      } catch (thrown) {
        this.#onListenerError(thrown);
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }
}
