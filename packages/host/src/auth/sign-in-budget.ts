// Limits how often the user is asked to sign in to one server without having started it: enough for a sign-in
// and two scope step-ups, and then not for a while. A sign-in that the user starts resets the budget.

import type { Clock, Instant } from '@plugboard/base';

const MOST = 3;
const WINDOW_MS = 15 * 60_000;

export class SignInBudget {
  readonly #clock: Clock;
  #prompts: readonly Instant[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the user may be asked now; counts if so. */
  take(): boolean {
    const now = this.#clock.elapsed();
    const recent = this.#prompts.filter((at) => now - at < WINDOW_MS);
    if (recent.length >= MOST) return false;
    this.#prompts = [...recent, now];
    return true;
  }

  reset(): void {
    this.#prompts = [];
  }
}
