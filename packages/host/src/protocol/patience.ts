// How long a call waits for a sign of life of its server, without the time in which a person thinks about
// a question of that server. Only for sessions whose servers may ask.

import { type Clock, DeadlineExceeded, never } from '@plugboard/base';

export interface Waiting extends Disposable {
  /** Aborts with `DeadlineExceeded` when time is up, or with the caller's reason. */
  readonly signal: AbortSignal;
  /** The server showed that it is still at work. */
  restart(): void;
}

/** Something whose time runs, unless a person is asked. */
export interface Timed {
  /** Its time starts over. */
  start(): void;
  stop(): void;
}

export class Patience {
  readonly #clock: Clock;
  readonly #waiting = new Set<Timed>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nobody's time runs while somebody is asked; after that it starts over. */
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

  /** Has something else stand still with it, for as long as both live. */
  follow(timed: Timed): void {
    this.#waiting.add(timed);
  }

  begin(ms: number, parent: AbortSignal): Waiting {
    const controller = new AbortController();
    let timer: Disposable | undefined;
    const timed: Timed = {
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
