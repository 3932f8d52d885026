// Tracks renewals whose refresh token has been sent already. A server that rotates refresh tokens no longer
// accepts the old one, so a process that ends in between loses the sign-in: ending waits for these renewals,
// for a while.

import { type Clock, delay } from '@plugboard/base';

/** Longer than a renewal takes, but short enough that a user who interrupts the program does not do it twice. */
const PATIENCE_MS = 3000;

export class Renewals {
  #count = 0;
  readonly #none = new Set<() => void>();

  /** Counts one more renewal until it is disposed. */
  begin(): Disposable {
    this.#count += 1;
    return { [Symbol.dispose]: () => this.#end() };
  }

  /** Resolves when the pending renewals are stored, or the time is up. */
  async settled(clock: Clock): Promise<void> {
    if (this.#count === 0) return;
    const enough = new AbortController();
    const none = new Promise<void>((resolve) => this.#none.add(resolve));
    // Aborting `enough` also ends the delay.
    const late = delay(PATIENCE_MS, clock, enough.signal).catch(() => {});
    await Promise.race([none, late]);
    enough.abort();
  }

  #end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#none) resolve();
    this.#none.clear();
  }
}
