// Limits the questions of one server per minute. Blocked questions count too, so a server that keeps
// asking stays silenced.

import type { Clock } from '@plugboard/base';

const WINDOW_MS = 60_000;
const MAX_QUESTIONS = 10;

export class QuestionBrake {
  readonly #clock: Clock;
  /** The times of the last questions, including those that were not passed on. */
  readonly #last: number[] = [];
  #isSilenced = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a question. Returns `silenced` for the first one above the limit, and `silent` for further ones. */
  count(): 'passed' | 'silenced' | 'silent' {
    const now = this.#clock.elapsed();
    const first = this.#last.length < MAX_QUESTIONS ? undefined : this.#last.shift();
    this.#last.push(now);
    const wasSilenced = this.#isSilenced;
    this.#isSilenced = first !== undefined && now - first < WINDOW_MS;
    if (!this.#isSilenced) return 'passed';
    return wasSilenced ? 'silent' : 'silenced';
  }
}
