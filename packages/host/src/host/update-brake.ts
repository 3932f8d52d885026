// Passes on that something changed, at once the first time and then no more often than is of use: a
// server that says so a thousand times a second is heard ten times.

import type { Clock } from '@plugboard/base';

const PAUSE_MS = 100;

export class UpdateBrake implements Disposable {
  readonly #clock: Clock;
  readonly #onUpdate: () => void;
  #timer: Disposable | undefined;
  #isMore = false;

  constructor(clock: Clock, onUpdate: () => void) {
    this.#clock = clock;
    this.#onUpdate = onUpdate;
  }

  update(): void {
    if (this.#timer !== undefined) {
      this.#isMore = true;
      return;
    }
    this.#timer = this.#clock.after(PAUSE_MS, () => this.#rested());
    this.#onUpdate();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#isMore = false;
  }

  #rested(): void {
    this.#timer = undefined;
    if (!this.#isMore) return;
    this.#isMore = false;
    this.update();
  }
}
