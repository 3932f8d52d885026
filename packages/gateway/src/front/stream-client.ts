// A client of either era on one stream of messages, such as stdio or a WebSocket.

import { BriefMap, RequestSignal } from '@plugboard/base';
import {
  failed,
  INVALID_REQUEST,
  messageText,
  readMessage,
  type RequestId,
  type RpcReply,
  type RpcRequest,
} from '../message/index.ts';
import {
  answerModern,
  type ClientContext,
  isModern,
  LegacySession,
  PendingWork,
} from '../session/index.ts';

export interface StreamContext extends ClientContext {
  readonly send: (text: string) => void;
}

export class StreamClient implements AsyncDisposable {
  readonly #context: StreamContext;
  readonly #session: LegacySession;
  readonly #running = new BriefMap<RequestId, RequestSignal>();
  readonly #answers = new PendingWork();
  #isClosed = false;
  /** The reply to `initialize` of a legacy client; its next requests wait for it. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(context: StreamContext) {
    this.#context = context;
    this.#session = new LegacySession({ ...context, send: (message) => this.#send(message) });
  }

  /** Resolves once a request is answered. */
  async receive(text: string): Promise<void> {
    const message = readMessage(text);
    switch (message.kind) {
      case 'request':
        await this.#begin(message);
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

  /** Reports a message that was too long to be read. */
  refuse(): void {
    this.#send({ id: null, ...failed(INVALID_REQUEST, 'The message is too long') });
  }

  /** Resolves once all requests but subscriptions are answered, or the signal aborts. */
  async answered(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
      void this.#answers.ended().then(() => resolve());
    });
  }

  #begin(request: RpcRequest): Promise<void> {
    const answer = this.#answer(request);
    return request.method === 'subscriptions/listen' ? answer : this.#answers.add(answer);
  }

  async #answer(request: RpcRequest): Promise<void> {
    const reply = isModern(request) ? await this.#modern(request) : await this.#legacy(request);
    if (reply !== undefined) this.#send({ id: request.id, ...reply });
  }

  async #legacy(request: RpcRequest): Promise<RpcReply> {
    if (request.method !== 'initialize') {
      await this.#opening;
      return this.#session.request(request);
    }
    const reply = this.#session.request(request);
    this.#opening = reply;
    return reply;
  }

  /** `undefined` for a cancelled request, which gets no reply. */
  async #modern(request: RpcRequest): Promise<RpcReply | undefined> {
    const { id } = request;
    if (this.#running.has(id)) return failed(INVALID_REQUEST, 'A request with this id is running');
    const running = new RequestSignal();
    this.#running.set(id, running);
    const reply = await answerModern(request, {
      ...this.#context,
      signal: running,
      notify: (method, params) => this.#send({ method, params }),
    });
    this.#running.take(id);
    const isListening = request.method === 'subscriptions/listen';
    return running.aborted && !isListening ? undefined : reply;
  }

  #send(message: object): void {
    if (!this.#isClosed) this.#context.send(messageText({ jsonrpc: '2.0', ...message }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const running of this.#running.values()) running.abort();
    await this.#session[Symbol.asyncDispose]();
  }
}
