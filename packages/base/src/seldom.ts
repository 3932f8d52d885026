// Tells the same thing once a minute, however often it comes, and then how often that was.

import type { Clock } from './clock.ts';

const AGAIN_AFTER_MS = 60_000;
/** Different things that are remembered. */
const MOST_KNOWN = 1000;

export class Seldom {
  readonly #clock: Clock;
  readonly #known = new Map<string, { saidAt: number; since: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` says what is the same; `count` is how often it came since it was told last, this time included. */
  tell(key: string, say: (count: number) => void): void {
    const now = this.#clock.elapsed();
    const known = this.#known.get(key);
    const count = (known?.since ?? 0) + 1;
    if (known !== undefined && now - known.saidAt < AGAIN_AFTER_MS) {
      known.since = count;
      return;
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, { saidAt: now, since: 0 });
    say(count);
  }
}
