// Limits the number and the size of the answers that a server requested but does not read. At the limit, the host stops
// reading from the server, so that it cannot send more requests; if it still reads no answers, it is given up. The
// transport decides when an answer counts as taken, and how to stop reading.

import type { Clock } from '@plugboard/base';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** A server may request this much at once before it reads the first answer. */
const MOST_UNTAKEN = { answers: 10_000, bytes: MAX_MESSAGE_BYTES } as const;
/** At this multiple, the server is given up at once: it sent so many requests in one message. */
const BEYOND = 2;
/** How long a server may take no answers after reading has stopped. */
const STALLED_MS = 10_000;

export interface AnswerPorts {
  readonly clock: Clock;
  /** Stops reading from the server until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly giveUp: (failure: ProtocolFailure) => void;
}

export class UntakenAnswers {
  readonly #ports: AnswerPorts;
  #answers = 0;
  #bytes = 0;
  /** The timer that runs while reading is stopped. */
  #stalled: Disposable | undefined;
  #isGivenUp = false;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
  }

  /** `taken` settles when the server has taken the answer or cannot take it any more. */
  add(bytes: number, taken: Promise<unknown>): void {
    this.#answers += 1;
    this.#bytes += bytes;
    const remove = (): void => this.#remove(bytes);
    taken.then(remove, remove);
    if (this.#reaches(BEYOND)) this.#giveUp(0);
    else if (this.#reaches(1)) this.#stopReading();
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

  #stopReading(): void {
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
