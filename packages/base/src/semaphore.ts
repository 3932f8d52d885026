// At most `permits` pieces of work run at once; the rest wait in the order they came.

interface Waiter {
  readonly admit: () => void;
}

export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #permits = 0;
  /** Below nothing while more run than may since it was made smaller. */
  #free = 0;

  constructor(permits: number) {
    this.resize(permits);
  }

  /** Changes how many may run at once. What runs goes on; those that wait are let in where there is room now. */
  resize(permits: number): void {
    if (!Number.isInteger(permits) || permits < 1) {
      throw new RangeError(`a semaphore needs at least one permit, got ${permits}`);
    }
    this.#free += permits - this.#permits;
    this.#permits = permits;
    this.#admitWaiting();
  }

  /** Runs `work` when a permit is free. Giving up while waiting rejects and takes no permit. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        admit: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #release(): void {
    this.#free += 1;
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#free -= 1;
      next.admit();
    }
  }
}
