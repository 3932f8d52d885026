// Handles messages that a legacy server initiates: answers requests and dispatches notifications. Loads the SDK only to
// check a request.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, messageOf } from '@plugboard/base';
import type { RequestId } from './frame/failed-answer.ts';
import { inboundRequest, UNKNOWN_METHOD } from './neutral/inbound-requests.ts';
import { LIST_CHANGES } from './neutral/session.ts';
import type { isSoundRequest } from './sound-request.ts';

type Fields = Readonly<Record<string, unknown>>;

type RequestHandler = (
  request: Fields,
  context: { readonly mcpReq: { readonly signal: AbortSignal } },
) => unknown;
type NotificationHandler = (notification: Fields) => void;

interface InboundMessage {
  readonly method: string;
  readonly params?: Fields | undefined;
  readonly id?: RequestId;
}

/** The check of the SDK, once it is loaded. */
let isSound: typeof isSoundRequest | undefined;

export class LegacyInbound {
  /** Receives notifications that MCP does not define. */
  fallback: ((notification: Pick<InboundMessage, 'method' | 'params'>) => unknown) | undefined;
  readonly #send: (message: JSONRPCMessage) => Promise<unknown>;
  readonly #requests = new Map<string, RequestHandler>();
  readonly #notifications = new Map<string, NotificationHandler>();
  /** The requests that are being answered, with what cancels them. */
  readonly #answering = new Map<RequestId, AbortController>();

  #loading: Promise<void> | undefined;

  constructor(send: (message: JSONRPCMessage) => Promise<unknown>) {
    this.#send = send;
  }

  readonly setRequestHandler = (method: string, handler: RequestHandler): void => {
    this.#requests.set(method, handler);
  };

  readonly setNotificationHandler = (method: string, handler: NotificationHandler): void => {
    this.#notifications.set(method, handler);
  };

  /** Messages that arrive while the SDK is being loaded wait for that, to keep their order. */
  receive(message: InboundMessage): void {
    if (isSound === undefined && this.#needsCheck(message)) this.#loading ??= this.#load();
    if (this.#loading === undefined) this.#dispatch(message);
    else void this.#loading.then(() => this.#dispatch(message));
  }

  #needsCheck({ id, method }: InboundMessage): boolean {
    return id !== undefined && isChecked(method) && this.#requests.has(method);
  }

  async #load(): Promise<void> {
    try {
      ({ isSoundRequest: isSound } = await import('./sound-request.ts'));
    } catch {
      // Requests that cannot be checked are refused.
    }
    this.#loading = undefined;
  }

  #dispatch({ id, method, params: raw }: InboundMessage): void {
    const params = raw ?? {};
    const isValid = PARAMETER_CHECKS.get(method);
    if (id !== undefined) {
      void this.#answer(id, method, params);
    } else if (method === 'notifications/cancelled') {
      this.#answering.get(params['requestId'] as RequestId)?.abort();
    } else if (isValid === undefined) {
      this.fallback?.({ method, params: raw });
    } else if (isValid(params)) {
      this.#notifications.get(method)?.({ method, params });
    }
  }

  /** Cancels all requests when the connection has ended. */
  end(): void {
    for (const controller of this.#answering.values()) controller.abort();
  }

  async #answer(id: RequestId, method: string, params: Fields): Promise<void> {
    const controller = new AbortController();
    this.#answering.set(id, controller);
    const answer = await this.#answerTo({ method, params }, controller.signal);
    if (this.#answering.get(id) === controller) this.#answering.delete(id);
    // The server has cancelled its request or is gone.
    if (controller.signal.aborted) return;
    await this.#send({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage).catch(() => {});
  }

  async #answerTo(
    request: { readonly method: string; readonly params: Fields },
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown } | { readonly error: Fields }> {
    if (request.method === 'ping') return { result: {} };
    const handler = this.#requests.get(request.method);
    if (handler === undefined) return { error: UNKNOWN_METHOD };
    try {
      if (isChecked(request.method) && isSound?.(request) !== true) {
        return { error: { code: -32_602, message: 'Invalid params' } };
      }
      return { result: await handler(request, { mcpReq: { signal } }) };
    } catch (thrown) {
      const code =
        isObject(thrown) && Number.isSafeInteger(thrown['code']) ? thrown['code'] : -32_603;
      return { error: { code, message: messageOf(thrown) } };
    }
  }
}

function isChecked(method: string): boolean {
  return inboundRequest(method)?.schema !== undefined;
}

const always = (): boolean => true;

/** The notifications that can have a handler, with the checks of their parameters. */
const PARAMETER_CHECKS: ReadonlyMap<string, (params: Fields) => boolean> = new Map([
  ...LIST_CHANGES.map((method) => [method, always] as const),
  [
    'notifications/message',
    ({ level, logger, data }: Fields) =>
      typeof level === 'string' &&
      (logger === undefined || typeof logger === 'string') &&
      data !== undefined,
  ],
  ['notifications/resources/updated', ({ uri }: Fields) => typeof uri === 'string'],
  [
    'notifications/elicitation/complete',
    ({ elicitationId }: Fields) => typeof elicitationId === 'string',
  ],
]);
