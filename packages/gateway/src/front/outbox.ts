// Messages of a session that belong to no request. They wait for the client's stream, and the latest are kept for a
// client that lost its stream and missed some.

import type { EventStream } from './event-stream.ts';
import type { HttpLimits } from './limits.ts';

interface Kept {
  readonly number: number;
  readonly text: string;
}

export class Outbox {
  readonly #limits: Pick<HttpLimits, 'kept' | 'keptBytes'>;
  readonly #kept: Kept[] = [];
  #length = 0;
  /** The numbers of the newest message, and of the last one that was sent. */
  #newest = 0;
  #sent = 0;
  #stream: EventStream | undefined;

  constructor(limits: Pick<HttpLimits, 'kept' | 'keptBytes'>) {
    this.#limits = limits;
  }

  get hasStream(): boolean {
    return this.#stream?.isOpen === true;
  }

  /** Whether the client had a stream and has none now. */
  get hasLostStream(): boolean {
    return this.#stream?.isOpen === false;
  }

  /** Replaces the stream. It continues after the last message that the client reports to have received, if any. */
  attach(stream: EventStream, lastSeen: string | undefined): void {
    this.#stream?.end();
    this.#stream = stream;
    const seen = /^\d{1,15}$/.test(lastSeen ?? '') ? Number(lastSeen) : this.#sent;
    this.#sent = Math.min(seen, this.#newest);
    this.#flush();
  }

  send(message: object): void {
    const text = JSON.stringify(message);
    this.#kept.push({ number: (this.#newest += 1), text });
    this.#length += text.length;
    this.#flush();
    while (this.#isOver) this.#length -= this.#kept.shift()?.text.length ?? 0;
  }

  end(): void {
    this.#stream?.end();
  }

  /** The newest message is always kept. */
  get #isOver(): boolean {
    const { kept, keptBytes } = this.#limits;
    return this.#kept.length > 1 && (this.#kept.length > kept || this.#length > keptBytes);
  }

  #flush(): void {
    const [oldest] = this.#kept;
    const start = oldest === undefined ? 0 : Math.max(0, this.#sent - oldest.number + 1);
    for (const { number, text } of this.#kept.slice(start)) {
      if (!this.hasStream) return;
      this.#stream?.sendText('message', text, number);
      this.#sent = number;
    }
  }
}
