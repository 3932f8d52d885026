// Runs one task at a time per key, in the order of the requests; different keys do not wait for each other.

import { Semaphore } from './semaphore.ts';

export class KeyedMutex<Key> {
  readonly #locks = new Map<Key, { readonly lock: Semaphore; users: number }>();

  async run<T>(key: Key, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const entry = this.#locks.get(key) ?? { lock: new Semaphore(1), users: 0 };
    this.#locks.set(key, entry);
    entry.users += 1;
    try {
      return await entry.lock.run(signal, work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#locks.delete(key);
    }
  }

  /** The number of keys that are in use. */
  get size(): number {
    return this.#locks.size;
  }
}
