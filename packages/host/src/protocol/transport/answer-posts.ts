// Answers to what a server asks, where each is a POST of its own: few at once, the others wait their turn. While too
// many wait, the streams of the server are not read.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Clock, never, Semaphore } from '@plugboard/base';
import { FailureError, type ProtocolFailure } from '../neutral/failure.ts';
import { sizeOf } from '../trace/size-of.ts';
import { UntakenAnswers } from './untaken-answers.ts';

/** Each holds a connection for as long as the server likes. */
const MOST_AT_ONCE = 32;

export class AnswerPosts {
  readonly #turns = new Semaphore(MOST_AT_ONCE);
  readonly #untaken: UntakenAnswers;
  #reading: Promise<void> | undefined;
  #read: () => void = () => {};
  #isClosed = false;

  constructor(ports: {
    readonly clock: Clock;
    readonly giveUp: (failure: ProtocolFailure) => void;
  }) {
    this.#untaken = new UntakenAnswers({
      ...ports,
      pause: () => {
        this.#reading = new Promise((resolve) => {
          this.#read = resolve;
        });
      },
      resume: () => this.#resume(),
    });
  }

  /** What whoever reads a stream of the server has to wait for; mostly nothing. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  send(answer: JSONRPCMessage, post: () => Promise<void>): Promise<void> {
    const sending = this.#turns.run(never, () =>
      this.#isClosed ? Promise.reject(new FailureError({ kind: 'closed' })) : post(),
    );
    this.#untaken.add(sizeOf(answer), sending);
    return sending;
  }

  /** Those that wait are not sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#resume();
  }

  #resume(): void {
    this.#reading = undefined;
    this.#read();
  }
}
