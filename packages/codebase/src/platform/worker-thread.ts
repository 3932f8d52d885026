// A thread beside this one that answers questions, one at a time and at low priority; and the thread's own side of
// it. What is asked and answered is between the two ends.

import { parentPort, Worker } from 'node:worker_threads';
import { CodedError, messageOf } from '@plugboard/base';
import { lowerThreadPriority } from './thread-side.ts';

const LOW_PRIORITY = 15;

type Reply =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string };

/** Built beside the file that asks for it; from the sources it is the one that was built from them. */
export function builtBeside(url: string, name: string): URL {
  const isSource = url.endsWith('.ts');
  const base = isSource ? url.replace(/\/src\/([^/]+\/[^/]+)$/, '/dist/$1') : url;
  return new URL(`./${name}.js`, base);
}

export class WorkerThread<Question, Answer> implements AsyncDisposable {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();
  readonly #lost: Promise<never>;

  constructor(program: URL) {
    this.#worker = new Worker(program, { execArgv: [], stdin: false });
    this.#worker.unref();
    this.#lost = new Promise<never>((_, reject) => {
      this.#worker.once('error', (cause) => reject(workerLost(messageOf(cause), cause)));
      this.#worker.once('exit', (code) => reject(workerLost(`it ended with code ${code}`)));
    });
    this.#lost.catch(() => {
      // Told to whoever asks.
    });
  }

  ask(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const answered = this.#last.then(() => this.#askNow(question, transfer));
    this.#last = answered.catch(() => {
      // Told to the one who asked; the next question stands for itself.
    });
    return answered;
  }

  async #askNow(question: Question, transfer: readonly ArrayBuffer[]): Promise<Answer> {
    const reply = new Promise<Reply>((resolve) => this.#worker.once('message', resolve));
    this.#worker.ref();
    try {
      this.#worker.postMessage(question, [...transfer]);
      const told = await Promise.race([reply, this.#lost]);
      if (told.kind === 'failure') throw workerLost(told.message);
      // Both ends are ours and are built together.
      return told.value as Answer;
    } finally {
      this.#worker.unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** In the thread: answers every question in turn. */
export function answerQuestions(answer: (question: never) => unknown): void {
  lowerThreadPriority(LOW_PRIORITY);
  const port = parentPort;
  if (port === null)
    throw new CodedError('no-parent', 'this runs as a thread', { data: undefined });
  // Both ends are ours: what comes is what the answer takes.
  port.on('message', (question: unknown) => {
    void (async () => {
      try {
        port.postMessage({
          kind: 'answer',
          value: await answer(question as never),
        } satisfies Reply);
      } catch (thrown) {
        port.postMessage({ kind: 'failure', message: messageOf(thrown) } satisfies Reply);
      }
    })();
  });
}

function workerLost(message: string, cause?: unknown): CodedError {
  return new CodedError('worker-lost', `a worker thread failed: ${message}`, {
    data: undefined,
    cause,
  });
}
