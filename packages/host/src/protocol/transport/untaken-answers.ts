// The answers that a server asked for and does not take. They are bounded in number and in bytes: at the limit nothing
// more is read of the server, so that it can ask for nothing more, and if it still takes none it is given up. What a
// transport counts as taken, and how it stops reading, is its own business.

import type { Clock } from '@plugboard/base';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** A server may ask this much in one go before it reads the first answer. */
const MOST_UNTAKEN = { answers: 10_000, bytes: MAX_MESSAGE_BYTES } as const;
/** From here on reading has not stopped in time: it all came in one message. */
const BEYOND = 2;
/** How long a server may take nothing once reading has stopped. */
const STALLED_MS = 10_000;

export interface AnswerPorts {
  readonly clock: Clock;
  /** Nothing more is to be read of the server until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly giveUp: (failure: ProtocolFailure) => void;
}

export class UntakenAnswers {
  readonly #ports: AnswerPorts;
  #answers = 0;
  #bytes = 0;
  /** Runs while nothing is read. */
  #stalled: Disposable | undefined;
  #isGivenUp = false;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
  }

  /** `taken` settles when the server has taken the answer, or never will. */
  add(bytes: number, taken: Promise<unknown>): void {
    this.#answers += 1;
    this.#bytes += bytes;
    const remove = (): void => this.#remove(bytes);
    taken.then(remove, remove);
    if (this.#reaches(BEYOND)) this.#giveUp(0);
    else if (this.#reaches(1)) this.#stop();
  }

  #remove(bytes: number): void {
    this.#answers -= 1;
    this.#bytes -= bytes;
    if (this.#stalled === undefined || this.#isGivenUp || this.#reaches(1)) return;
    this.#stalled[Symbol.dispose]();
    this.#stalled = undefined;
    this.#ports.resume();
  }

  #reaches(times: number): boolean {
    const { answers, bytes } = MOST_UNTAKEN;
    return this.#answers >= times * answers || this.#bytes >= times * bytes;
  }

  #stop(): void {
    if (this.#stalled !== undefined || this.#isGivenUp) return;
    this.#ports.pause();
    this.#stalled = this.#ports.clock.after(STALLED_MS, () => this.#giveUp(STALLED_MS));
  }

  #giveUp(ms: number): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#stalled?.[Symbol.dispose]();
    const untaken = { answers: this.#answers, bytes: this.#bytes };
    this.#ports.giveUp({ kind: 'answers-untaken', ...untaken, limit: MOST_UNTAKEN, ms });
  }
}
