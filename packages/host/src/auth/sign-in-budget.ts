// How often somebody may be asked to sign in for one server without having asked for it: often enough
// for a sign-in and two steps up, and then not for a while. Whoever signs in by their own will starts over.

import type { Clock, Instant } from '@plugboard/base';

const MOST = 3;
const WINDOW_MS = 15 * 60_000;

export class SignInBudget {
  readonly #clock: Clock;
  #asked: readonly Instant[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether somebody may be asked now; counts if so. */
  take(): boolean {
    const now = this.#clock.elapsed();
    const recent = this.#asked.filter((at) => now - at < WINDOW_MS);
    if (recent.length >= MOST) return false;
    this.#asked = [...recent, now];
    return true;
  }

  reset(): void {
    this.#asked = [];
  }
}
