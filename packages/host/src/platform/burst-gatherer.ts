// Turns a burst of changes into few calls: one when no change has come for a moment, and at the latest some time after
// the first change, so that a burst without end is reported as well.

import type { Clock } from '@plugboard/base';

export interface BurstGathererOptions {
  readonly clock: Clock;
  readonly quietMs: number;
  readonly maxWaitMs: number;
  readonly onGathered: () => void;
}

export class BurstGatherer implements Disposable {
  readonly #options: BurstGathererOptions;
  #burst: { readonly startedAt: number; readonly timer: Disposable } | undefined;

  constructor(options: BurstGathererOptions) {
    this.#options = options;
  }

  note(): void {
    const { clock, quietMs, maxWaitMs } = this.#options;
    const now = clock.elapsed();
    const startedAt = this.#burst?.startedAt ?? now;
    this.#burst?.timer[Symbol.dispose]();
    const wait = Math.min(quietMs, startedAt + maxWaitMs - now);
    this.#burst = { startedAt, timer: clock.after(wait, () => this.#end()) };
  }

  [Symbol.dispose](): void {
    this.#burst?.timer[Symbol.dispose]();
    this.#burst = undefined;
  }

  #end(): void {
    this.#burst = undefined;
    this.#options.onGathered();
  }
}
