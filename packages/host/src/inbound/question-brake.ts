// How many questions one server may ask: so many within a minute. One that goes on asking stays silenced
// until it has been quiet for as long.

import type { Clock } from '@plugboard/base';

const WINDOW_MS = 60_000;
const MOST = 10;

export class QuestionBrake {
  readonly #clock: Clock;
  /** When the last questions came, those included that were not passed on. */
  readonly #last: number[] = [];
  #isSilenced = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `silenced` the first time, `silent` from then on. */
  count(): 'passed' | 'silenced' | 'silent' {
    const now = this.#clock.elapsed();
    const first = this.#last.length < MOST ? undefined : this.#last.shift();
    this.#last.push(now);
    const wasSilenced = this.#isSilenced;
    this.#isSilenced = first !== undefined && now - first < WINDOW_MS;
    if (!this.#isSilenced) return 'passed';
    return wasSilenced ? 'silent' : 'silenced';
  }
}
