// Sends messages to a client as server-sent events. A client that does not read is disconnected before it fills the memory;
// a periodic comment detects a client that vanished.

import type { ServerResponse } from 'node:http';
import type { Clock } from '@plugboard/base';
import { messageText } from '../message/index.ts';
import type { HttpLimits } from './limits.ts';

export interface EventStreamOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: Pick<HttpLimits, 'unreadBytes' | 'unreadMs' | 'beatMs'>;
  readonly clock: Clock;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #limits: Pick<HttpLimits, 'unreadBytes' | 'beatMs'>;
  readonly #clock: Clock;
  #beat: Disposable | undefined;

  constructor(response: ServerResponse, { headers = {}, limits, clock }: EventStreamOptions) {
    this.#response = response;
    this.#limits = limits;
    this.#clock = clock;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
    response.once('close', () => this.#beat?.[Symbol.dispose]());
    this.#scheduleBeat();
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  send(message: object, event = 'message'): void {
    this.sendText(event, messageText(message));
  }

  /** `text` has to be one line. With an id, a client can report the last message that it received. */
  sendText(event: string, text: string, id?: number): void {
    const named = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`event: ${event}\n${named}data: ${text}\n\n`);
  }

  end(): void {
    this.#beat?.[Symbol.dispose]();
    this.#response.end();
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    // Checked before the write, since one message may have any size.
    if (this.#response.writableLength > this.#limits.unreadBytes) this.#response.destroy();
    else this.#response.write(text);
  }

  #scheduleBeat(): void {
    if (!this.isOpen) return;
    this.#beat = this.#clock.after(this.#limits.beatMs, () => {
      this.#write(': \n\n');
      this.#scheduleBeat();
    });
  }
}
