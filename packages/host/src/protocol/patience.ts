// How long a call waits for a sign of life from its server, not counting the time in which the user answers a
// question of that server. Only for sessions whose servers may ask.

import { type Clock, DeadlineExceeded, never } from '@plugboard/base';

export interface CallDeadline extends Disposable {
  /** Aborts with `DeadlineExceeded` when the time is up, or with the caller's reason. */
  readonly signal: AbortSignal;
  /** The server has shown that it is still at work. */
  restart(): void;
}

/** A time limit that is suspended while the user is asked. */
export interface PausableTimer {
  /** The time starts over. */
  start(): void;
  stop(): void;
}

export class Patience {
  readonly #clock: Clock;
  readonly #waiting = new Set<PausableTimer>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Suspends all time limits while the user is asked; afterwards they start over. */
  async whileAsked<T>(ask: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    for (const timed of this.#waiting) timed.stop();
    try {
      return await ask();
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) for (const timed of this.#waiting) timed.start();
    }
  }

  /** Suspends another time limit along with its own, for as long as both exist. */
  follow(timed: PausableTimer): void {
    this.#waiting.add(timed);
  }

  begin(ms: number, parent: AbortSignal): CallDeadline {
    const controller = new AbortController();
    let timer: Disposable | undefined;
    const timed: PausableTimer = {
      start: () => {
        timed.stop();
        timer = this.#clock.after(ms, () => controller.abort(new DeadlineExceeded(ms)));
      },
      stop: () => timer?.[Symbol.dispose](),
    };
    this.#waiting.add(timed);
    const restart = (): void => {
      if (this.#asked === 0) timed.start();
    };
    restart();
    return {
      signal: parent === never ? controller.signal : AbortSignal.any([controller.signal, parent]),
      restart,
      [Symbol.dispose]: () => {
        timed.stop();
        this.#waiting.delete(timed);
      },
    };
  }
}
