// A deadline that stops while at least one pause is active.

import type { Clock } from '@plugboard/base';

export class PausableDeadline implements Disposable {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: Disposable | undefined;
  #pauses = 0;
  #isDisposed = false;

  constructor(ms: number, clock: Clock, onExpired: () => void) {
    this.#leftMs = ms;
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.#start();
  }

  /** The deadline continues once all returned pauses are disposed. */
  pause(): Disposable {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#stop();
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#pauses -= 1;
        if (this.#pauses === 0 && !this.#isDisposed) this.#start();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#stop();
  }

  #start(): void {
    this.#startedAt = this.#clock.elapsed();
    this.#timer = this.#clock.after(this.#leftMs, this.#onExpired);
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    this.#timer[Symbol.dispose]();
    this.#timer = undefined;
    this.#leftMs -= this.#clock.elapsed() - this.#startedAt;
  }
}
