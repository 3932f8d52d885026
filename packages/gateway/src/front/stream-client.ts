// A client on one stream of messages, such as stdio or a WebSocket, in either era.

import type { Endpoint } from '../endpoint/index.ts';
import type { RequestId, RpcReply, RpcRequest } from '../message/index.ts';
import { answerModern, type GatewayCore, isModern, LegacySession } from '../session/index.ts';
import { readText } from './read-text.ts';

export interface StreamPorts {
  readonly core: GatewayCore;
  readonly endpoint: Endpoint;
  readonly principal: string;
  readonly send: (text: string) => void;
}

export class StreamClient implements AsyncDisposable {
  readonly #ports: StreamPorts;
  readonly #session: LegacySession;
  readonly #running = new Map<RequestId, AbortController>();
  #isClosed = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#session = new LegacySession({ ...ports, send: (message) => this.#send(message) });
  }

  receive(text: string): void {
    const message = readText(text);
    switch (message.kind) {
      case 'request':
        void this.#answer(message);
        break;
      case 'notification':
        if (message.method === 'notifications/cancelled') {
          this.#running.get(message.params['requestId'] as RequestId)?.abort();
        }
        this.#session.notification(message);
        break;
      case 'answer':
        this.#session.answer(message.id, message.reply);
        break;
      case 'unsound':
        this.#send({ id: message.id, error: message.error });
        break;
      default:
        message satisfies never;
    }
  }

  async #answer(request: RpcRequest): Promise<void> {
    const reply = isModern(request)
      ? await this.#modern(request)
      : await this.#session.request(request);
    if (reply !== undefined) this.#send({ id: request.id, ...reply });
  }

  /** A request that was cancelled is not answered. */
  async #modern(request: RpcRequest): Promise<RpcReply | undefined> {
    const { id } = request;
    const running = new AbortController();
    this.#running.set(id, running);
    const reply = await answerModern(request, {
      ...this.#ports,
      signal: running.signal,
      notify: (method, params) => this.#send({ method, params }),
    });
    this.#running.delete(id);
    const isListening = request.method === 'subscriptions/listen';
    return running.signal.aborted && !isListening ? undefined : reply;
  }

  #send(message: object): void {
    if (!this.#isClosed) this.#ports.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const running of this.#running.values()) running.abort();
    await this.#session[Symbol.asyncDispose]();
  }
}
