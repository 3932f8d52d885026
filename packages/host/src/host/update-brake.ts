// Limits how often a change is reported: at once the first time, then at most ten times a second, even if a server
// reports a thousand.

import type { Clock } from '@plugboard/base';

const PAUSE_MS = 100;

export class UpdateBrake implements Disposable {
  readonly #clock: Clock;
  readonly #onUpdate: () => void;
  #timer: Disposable | undefined;
  #isPending = false;

  constructor(clock: Clock, onUpdate: () => void) {
    this.#clock = clock;
    this.#onUpdate = onUpdate;
  }

  update(): void {
    if (this.#timer !== undefined) {
      this.#isPending = true;
      return;
    }
    this.#timer = this.#clock.after(PAUSE_MS, () => this.#onPauseEnd());
    this.#onUpdate();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#isPending = false;
  }

  #onPauseEnd(): void {
    this.#timer = undefined;
    if (!this.#isPending) return;
    this.#isPending = false;
    this.update();
  }
}
