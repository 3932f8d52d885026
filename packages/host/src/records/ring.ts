// The last so many of an endless row, in a place that never grows.

export class Ring<T> {
  readonly #items: T[] = [];
  readonly #capacity: number;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(item: T): void {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  items(): readonly T[] {
    if (this.#items.length < this.#capacity) return [...this.#items];
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
