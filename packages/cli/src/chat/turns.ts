// Runs one turn at a time. Messages that are sent meanwhile wait for its end; cancelling ends the running turn and
// drops the waiting messages.

import type { AgentEvent, UserMessage } from '@plugboard/agent';
import type { ChatEvent } from './chat.ts';

interface QueuedMessage {
  readonly text: string;
  readonly message: (signal: AbortSignal) => Promise<UserMessage>;
}

export interface TurnsPorts {
  readonly emit: (event: ChatEvent) => void;
  readonly send: (message: UserMessage, signal: AbortSignal) => AsyncIterable<AgentEvent>;
  /** What is wrong with us, not with the model: nothing here throws on purpose. */
  readonly failed: (thrown: unknown) => void;
}

export class Turns {
  readonly #ports: TurnsPorts;
  readonly #waiting: QueuedMessage[] = [];
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  constructor(ports: TurnsPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** `message` is made when its turn comes, with what resources are then. */
  add(waiting: QueuedMessage): void {
    this.#waiting.push(waiting);
    if (this.#running === undefined) this.#next();
    else this.#tell();
  }

  cancel(): void {
    this.#waiting.length = 0;
    this.#tell();
    this.#running?.abort.abort();
  }

  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running.done;
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#tell();
    const abort = new AbortController();
    const done = this.#run(next, abort.signal)
      .catch((thrown: unknown) => this.#ports.failed(thrown))
      .then(() => {
        this.#running = undefined;
        this.#next();
      });
    this.#running = { abort, done };
  }

  async #run({ message }: QueuedMessage, signal: AbortSignal): Promise<void> {
    for await (const event of this.#ports.send(await message(signal), signal)) {
      this.#ports.emit({ kind: 'agent', event });
    }
  }

  #tell(): void {
    this.#ports.emit({ kind: 'waiting', messages: this.#waiting.map(({ text }) => text) });
  }
}
