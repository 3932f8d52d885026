// At most `permits` tasks run at once; the others wait in the order of their arrival.

interface Waiter {
  readonly admit: () => void;
}

export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #permits = 0;
  /** Negative while more tasks run than permitted, after a resize. */
  #free = 0;

  constructor(permits: number) {
    this.resize(permits);
  }

  /** Changes the number of permits. Running tasks continue; waiting tasks start if there is room now. */
  resize(permits: number): void {
    if (!Number.isInteger(permits) || permits < 1) {
      throw new RangeError(`a semaphore needs at least one permit, got ${permits}`);
    }
    this.#free += permits - this.#permits;
    this.#permits = permits;
    this.#admitWaiting();
  }

  /** Runs `work` when a permit is free. Aborting the wait rejects and takes no permit. */
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
