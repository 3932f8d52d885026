// Counts the uses of a session, so that an unused session can be ended.

import type { Clock } from '@plugboard/base';
import type { ResourceWatch } from './neutral/primitives.ts';
import type { Activity } from './neutral/session.ts';

export class SessionUse {
  readonly #clock: Clock;
  #running = 0;
  #lastUse: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastUse = clock.elapsed();
  }

  get activity(): Activity {
    return { running: this.#running, lastUse: this.#lastUse };
  }

  /** Counts a request until it settles, and returns the same promise. */
  during<T>(work: Promise<T>): Promise<T> {
    this.#running += 1;
    work.then(this.#end, this.#end);
    return work;
  }

  /** Counts a watch until it is disposed of. */
  whileWatching(watching: ResourceWatch): ResourceWatch {
    this.#running += 1;
    let isOver = false;
    return {
      begun: watching.begun,
      [Symbol.dispose]: () => {
        watching[Symbol.dispose]();
        if (!isOver) this.#end();
        isOver = true;
      },
    };
  }

  readonly #end = (): void => {
    this.#running -= 1;
    this.#lastUse = this.#clock.elapsed();
  };
}
