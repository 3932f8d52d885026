// Runs one turn at a time and queues messages that are sent meanwhile. Cancelling stops the running turn and drops the
// queue.

import type { AgentEvent, UserMessage } from '@plugboard/agent';
import type { ChatEvent } from './chat.ts';

interface QueuedMessage {
  readonly text: string;
  readonly message: (signal: AbortSignal) => Promise<UserMessage>;
}

export interface TurnsOptions {
  readonly emit: (event: ChatEvent) => void;
  readonly send: (message: UserMessage, signal: AbortSignal) => AsyncIterable<AgentEvent>;
  /** Reports a bug: nothing here throws on purpose. */
  readonly failed: (thrown: unknown) => void;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: QueuedMessage[] = [];
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  constructor(ports: TurnsOptions) {
    this.#options = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Builds the message only when its turn begins, with the resources as they are then. */
  add(queued: QueuedMessage): void {
    this.#queue.push(queued);
    if (this.#running === undefined) this.#next();
    else this.#emitQueue();
  }

  cancel(): void {
    this.#queue.length = 0;
    this.#emitQueue();
    this.#running?.abort.abort();
  }

  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running.done;
  }

  #next(): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#emitQueue();
    const abort = new AbortController();
    const done = this.#run(next, abort.signal)
      .catch((thrown: unknown) => this.#options.failed(thrown))
      .then(() => {
        this.#running = undefined;
        this.#next();
      });
    this.#running = { abort, done };
  }

  async #run({ message }: QueuedMessage, signal: AbortSignal): Promise<void> {
    for await (const event of this.#options.send(await message(signal), signal)) {
      this.#options.emit({ kind: 'agent', event });
    }
  }

  #emitQueue(): void {
    this.#options.emit({ kind: 'waiting', messages: this.#queue.map(({ text }) => text) });
  }
}
