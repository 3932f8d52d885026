// Merges the events of several sources into one stream, in the order of their arrival.

export class EventQueue<Event> {
  readonly #queue: Event[] = [];
  #wake: (() => void) | undefined;

  readonly push = (event: Event): void => {
    this.#queue.push(event);
    this.#wake?.();
  };

  /** All events until `work` settles. Settles as `work` does. */
  async *until<T>(work: Promise<T>): AsyncGenerator<Event, T> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
      this.#wake?.();
    };
    const over = work.then(end, end);
    for (;;) {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        yield next;
      }
      if (isOver) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // The work may have ended, or an event may have arrived, while the listener was busy.
        if (isOver || this.#queue.length > 0) resolve();
      });
    }
    await over;
    return work;
  }
}
