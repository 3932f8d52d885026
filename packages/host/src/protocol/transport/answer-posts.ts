// Sends answers to a server's requests, each as a separate POST: a few at once, the others queued. While the queue is too
// long, the server's streams are not read.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Clock, never, Semaphore } from '@plugboard/base';
import { FailureError, type ProtocolFailure } from '../neutral/failure.ts';
import { sizeOf } from '../trace/size-of.ts';
import { UntakenAnswers } from './untaken-answers.ts';

/** The server decides how long each of these occupies a connection. */
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

  /** Readers of the server's streams wait for this before each read; usually `undefined`. */
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

  /** Queued answers are no longer sent. */
  close(): void {
    this.#isClosed = true;
    this.#resume();
  }

  #resume(): void {
    this.#reading = undefined;
    this.#read();
  }
}
