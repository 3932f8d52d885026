// A map for entries that stay only for a moment, such as the requests that are being worked on. V8 gives a Map a new table
// every few insertions, and lets the table before it refer to the new one. Once one of them has become old, every table
// after it stays until old objects are collected, together with the values that were in it when it was replaced. Here
// tables hold slots, and a slot is emptied when its entry goes.

interface Slot<Value> {
  value: Value | undefined;
}

/** Slots that are kept to be used again. */
const MOST_FREE = 256;

export class BriefMap<Key, Value extends object> {
  readonly #slots = new Map<Key, Slot<Value>>();
  readonly #free: Slot<Value>[] = [];

  get size(): number {
    return this.#slots.size;
  }

  has(key: Key): boolean {
    return this.#slots.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#slots.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const slot = this.#slots.get(key);
    if (slot !== undefined) {
      slot.value = value;
      return;
    }
    const free = this.#free.pop() ?? { value: undefined };
    free.value = value;
    this.#slots.set(key, free);
  }

  /** Removes an entry; its value, where there was one. */
  take(key: Key): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#slots.delete(key);
    const { value } = slot;
    slot.value = undefined;
    if (this.#free.length < MOST_FREE) this.#free.push(slot);
    return value;
  }

  *entries(): IterableIterator<[Key, Value]> {
    for (const [key, { value }] of this.#slots) if (value !== undefined) yield [key, value];
  }

  *values(): IterableIterator<Value> {
    for (const { value } of this.#slots.values()) if (value !== undefined) yield value;
  }
}
