// Selects the best of many without sorting all of them, by a heap whose root is the worst one kept. Ties are broken by the
// order of keys, so that the result does not depend on the order of arrival.

export interface ScoredKey {
  readonly key: number;
  readonly score: number;
}

/** Which of two keys with the same score is better. */
export type KeyOrder = (key: number, other: number) => boolean;

export class BestFew {
  readonly #limit: number;
  readonly #isBefore: KeyOrder;
  readonly #heap: ScoredKey[] = [];

  /** By default the lower key is better. */
  constructor(limit: number, isBefore: KeyOrder = (key, other) => key < other) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  offer(key: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ key, score });
      this.#rise(heap.length - 1);
      return;
    }
    const worst = heap[0];
    if (worst === undefined || !this.#isBetter({ key, score }, worst)) return;
    heap[0] = { key, score };
    this.#sink();
  }

  /** The best first. */
  sorted(): readonly ScoredKey[] {
    return this.#heap.toSorted((a, b) => (this.#isBetter(a, b) ? -1 : 1));
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = at * 2 + 1;
      const right = left + 1;
      const child = this.#isWorse(right, left) ? right : left;
      if (!this.#swapIfWorse(child, at)) return;
      at = child;
    }
  }

  /** Swaps the two if the child is worse than its parent. */
  #swapIfWorse(child: number, parent: number): boolean {
    if (!this.#isWorse(child, parent)) return false;
    const heap = this.#heap;
    const [lower, upper] = [heap[child], heap[parent]];
    if (lower === undefined || upper === undefined) return false;
    heap[child] = upper;
    heap[parent] = lower;
    return true;
  }

  #isWorse(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    return one !== undefined && other !== undefined && this.#isBetter(other, one);
  }

  #isBetter(a: ScoredKey, b: ScoredKey): boolean {
    return a.score > b.score || (a.score === b.score && this.#isBefore(a.key, b.key));
  }
}
