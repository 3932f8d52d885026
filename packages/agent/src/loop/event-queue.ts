// Merges the events of several sources into one stream for one listener, in the order of their arrival.

export class EventQueue<Event> {
  readonly #waiting: Event[] = [];
  #wake: (() => void) | undefined;

  readonly push = (event: Event): void => {
    this.#waiting.push(event);
    this.#wake?.();
  };

  /** All events until `work` settles. Settles as `work` does. */
  async *until<T>(work: Promise<T>): AsyncGenerator<Event, T> {
    let isOver = false;
    const over = work.then(
      () => this.#end(() => (isOver = true)),
      () => this.#end(() => (isOver = true)),
    );
    for (;;) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        yield next;
      }
      if (isOver) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // The work may have ended, or an event may have arrived, while the listener was busy.
        if (isOver || this.#waiting.length > 0) resolve();
      });
    }
    await over;
    return work;
  }

  #end(mark: () => void): void {
    mark();
    this.#wake?.();
  }
}
