// The response to one POST: a JSON body, or an event stream as soon as another message precedes the reply.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  failed,
  INVALID_REQUEST,
  messageText,
  type RequestId,
  type RpcReply,
} from '../message/index.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import type { Refusal } from './refusal.ts';

export class HttpReply {
  readonly #response: ServerResponse;
  readonly #takesEvents: boolean;
  readonly #options: EventStreamOptions;
  #stream: EventStream | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
    this.#takesEvents = /text\/event-stream|\*\/\*/.test(request.headers.accept ?? '');
  }

  /** Sends a message before the reply. It is lost if the client accepts no events, or has its reply already. */
  send(message: object): 'sent' | 'lost' {
    const { destroyed, writableEnded } = this.#response;
    if (!this.#takesEvents || destroyed || writableEnded) return 'lost';
    this.#stream ??= new EventStream(this.#response, this.#options);
    this.#stream.send({ jsonrpc: '2.0', ...message });
    return 'sent';
  }

  end(id: RequestId, reply: RpcReply, status = 200): void {
    const message = { jsonrpc: '2.0', id, ...reply };
    if (this.#stream !== undefined) {
      this.#stream.send(message);
      this.#stream.end();
    } else sendJson(this.#response, { status, body: message, headers: this.#options.headers });
    // A complete response waits for a client that reads, but not for one that has stopped.
    const { unreadMs } = this.#options.limits;
    if (this.#response.writableLength > 0) this.#response.setTimeout(unreadMs);
  }
}

export function sendJson(
  response: ServerResponse,
  {
    status,
    body,
    headers = {},
  }: { status: number; body: object; headers?: Refusal['headers'] | undefined },
): void {
  if (response.headersSent || response.destroyed) return;
  const text = messageText(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function refuse(response: ServerResponse, { status, reason, headers }: Refusal): void {
  const body = { jsonrpc: '2.0', id: null, ...failed(INVALID_REQUEST, reason) };
  sendJson(response, { status, body, headers });
}
