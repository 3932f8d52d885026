// A map for short-lived entries, such as pending requests. V8 replaces the table of a Map every few insertions, and lets
// the old table refer to the new one. Once one of them is in the old generation, every later table stays until that is
// collected, together with the values that it contained. Here tables contain slots, and a slot is emptied when its entry
// is removed.

interface Slot<Value> {
  value: Value | undefined;
}

/** The maximum number of slots that are kept for reuse. */
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

  /** Removes an entry and returns its value. */
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
