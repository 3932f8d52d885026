// Limits repeated reports: reports the same thing at most once a minute, with the number of occurrences.

import type { Clock } from './clock.ts';

const AGAIN_AFTER_MS = 60_000;
/** The maximum number of keys that are remembered. */
const MOST_KNOWN = 1000;

export class Seldom {
  readonly #clock: Clock;
  readonly #known = new Map<string, { reportedAt: number; since: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` identifies the report; `count` is the number of occurrences since the last report, including this one. */
  tell(key: string, report: (count: number) => void): void {
    const now = this.#clock.elapsed();
    const known = this.#known.get(key);
    const count = (known?.since ?? 0) + 1;
    if (known !== undefined && now - known.reportedAt < AGAIN_AFTER_MS) {
      known.since = count;
      return;
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, { reportedAt: now, since: 0 });
    report(count);
  }
}
