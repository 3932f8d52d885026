// A clock that a test advances. Timers fire in the order in which they are due, and all work that a timer starts runs
// before the next one fires. Nothing waits for real time.

import type { Clock, Instant } from '@plugboard/base';

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

const START: Instant = Date.UTC(2026, 0, 1);

export class ManualClock implements Clock {
  #start: Instant;
  readonly #timers = new Set<Timer>();
  #elapsed = 0;

  constructor(start: Instant = START) {
    this.#start = start;
  }

  now(): Instant {
    return this.#start + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(ms: number, task: () => void): Disposable {
    const timer: Timer = { due: this.#elapsed + Math.max(0, ms), task };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  /** Sets the wall clock forward or back by `ms`, without elapsed time. */
  jump(ms: number): void {
    this.#start += ms;
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /**
   * Advances time by `ms` and fires all timers that are due, also new ones. Rejects if a task throws; later timers stay
   * pending.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsed + ms;
    // Lets code that is about to set a timer do so first.
    await settled();
    for (let next = this.#nextDue(target); next !== undefined; next = this.#nextDue(target)) {
      this.#timers.delete(next);
      this.#elapsed = Math.max(this.#elapsed, next.due);
      next.task();
      await settled();
    }
    this.#elapsed = Math.max(this.#elapsed, target);
  }

  #nextDue(target: number): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due > target) continue;
      if (earliest === undefined || timer.due < earliest.due) earliest = timer;
    }
    return earliest;
  }
}

/** Resolves when no microtask is left: Node empties their queue before it runs an immediate. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
