// Numbers that look random and are the same for the same seed, so that a failure can be repeated.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** A number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** Different items, fewer if there are not enough. */
  some<T>(from: readonly T[], count: number): readonly T[] {
    const left = [...from];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [picked] = left.splice(this.below(left.length), 1);
      return picked as T;
    });
  }

  /** Chooses by weight. */
  choose<T>(from: readonly (readonly [weight: number, choice: T])[]): T {
    const sum = from.reduce((all, [weight]) => all + weight, 0);
    let at = this.#next() * sum;
    for (const [weight, choice] of from) {
      at -= weight;
      if (at < 0) return choice;
    }
    return this.pick(from)[1];
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
