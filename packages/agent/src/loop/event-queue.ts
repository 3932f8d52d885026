// What several sources say while somebody listens to them as one, in the order in which it is said.

export class EventQueue<Event> {
  readonly #waiting: Event[] = [];
  #wake: (() => void) | undefined;

  readonly push = (event: Event): void => {
    this.#waiting.push(event);
    this.#wake?.();
  };

  /** All that is said until `work` has settled. Settles itself as `work` does. */
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
        // It may have ended, or somebody may have spoken, while the listener was busy.
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
