// Enforces how long a call waits for a sign of life from its server. The clock stops while the user answers a question
// of that server. Used only by sessions whose servers may ask questions.

import { type Clock, DeadlineExceeded, never } from '@plugboard/base';

export interface CallDeadline extends Disposable {
  /** Aborts with `DeadlineExceeded` at the deadline, or with the caller's reason. */
  readonly signal: AbortSignal;
  /** To be called when the server shows a sign of life. */
  restart(): void;
}

/** A time limit that can be paused while the user is asked. */
export interface PausableTimer {
  /** Restarts the time from the beginning. */
  start(): void;
  stop(): void;
}

export class Patience {
  readonly #clock: Clock;
  readonly #timers = new Set<PausableTimer>();
  #questions = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Pauses all time limits while the user is asked, and restarts them afterwards. */
  async pauseWhile<T>(ask: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    for (const timer of this.#timers) timer.stop();
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) for (const timer of this.#timers) timer.start();
    }
  }

  /** Pauses another time limit together with its own. */
  add(timer: PausableTimer): void {
    this.#timers.add(timer);
  }

  begin(ms: number, parent: AbortSignal): CallDeadline {
    const controller = new AbortController();
    let handle: Disposable | undefined;
    const timer: PausableTimer = {
      start: () => {
        timer.stop();
        handle = this.#clock.after(ms, () => controller.abort(new DeadlineExceeded(ms)));
      },
      stop: () => handle?.[Symbol.dispose](),
    };
    this.#timers.add(timer);
    const restart = (): void => {
      if (this.#questions === 0) timer.start();
    };
    restart();
    return {
      signal: parent === never ? controller.signal : AbortSignal.any([controller.signal, parent]),
      restart,
      [Symbol.dispose]: () => {
        timer.stop();
        this.#timers.delete(timer);
      },
    };
  }
}
