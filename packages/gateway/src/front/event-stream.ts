// Messages to a client as server-sent events. A client that does not read is cut off before it fills the memory.

import type { ServerResponse } from 'node:http';
import { HTTP_LIMITS } from './limits.ts';

export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  send(message: object, event = 'message'): void {
    if (!this.isOpen) return;
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(message)}\n\n`);
    if (this.#response.writableLength > HTTP_LIMITS.unreadBytes) this.#response.destroy();
  }

  /** Data that is no message. */
  sendText(event: string, text: string): void {
    if (this.isOpen) this.#response.write(`event: ${event}\ndata: ${text}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}
