// What a legacy server sends of its own accord: requests, which are answered, and notifications. The SDK is only
// loaded to check a request.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, messageOf } from '@plugboard/base';
import type { RequestId } from './frame/failed-answer.ts';
import { inboundRequest, UNKNOWN_METHOD } from './neutral/inbound-requests.ts';
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

/** By the SDK, once it was needed. */
let isSound: typeof isSoundRequest | undefined;

export class LegacyInbound {
  /** Receives notifications that are not part of the protocol. */
  fallback: ((notification: Pick<InboundMessage, 'method' | 'params'>) => unknown) | undefined;
  readonly #send: (message: JSONRPCMessage) => Promise<unknown>;
  readonly #requests = new Map<string, RequestHandler>();
  readonly #notifications = new Map<string, NotificationHandler>();
  /** Requests that are being answered. */
  readonly #asked = new Map<RequestId, AbortController>();

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

  /** Messages that come while the SDK is loaded for one of them wait for that, so that their order stays. */
  receive(message: InboundMessage): void {
    if (isSound === undefined && this.#needsCheck(message)) this.#loading ??= this.#load();
    if (this.#loading === undefined) this.#take(message);
    else void this.#loading.then(() => this.#take(message));
  }

  #needsCheck({ id, method }: InboundMessage): boolean {
    return id !== undefined && isChecked(method) && this.#requests.has(method);
  }

  async #load(): Promise<void> {
    try {
      ({ isSoundRequest: isSound } = await import('./sound-request.ts'));
    } catch {
      // What cannot be checked is refused.
    }
    this.#loading = undefined;
  }

  #take({ id, method, params: given }: InboundMessage): void {
    const params = given ?? {};
    const areSound = SOUND.get(method);
    if (id !== undefined) {
      void this.#answer(id, method, params);
    } else if (method === 'notifications/cancelled') {
      this.#asked.get(params['requestId'] as RequestId)?.abort();
    } else if (areSound === undefined) {
      this.fallback?.({ method, params: given });
    } else if (areSound(params)) {
      this.#notifications.get(method)?.({ method, params });
    }
  }

  /** The connection has ended. */
  end(): void {
    for (const asked of this.#asked.values()) asked.abort();
  }

  async #answer(id: RequestId, method: string, params: Fields): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(id, asked);
    const answer = await this.#answerTo({ method, params }, asked.signal);
    if (this.#asked.get(id) === asked) this.#asked.delete(id);
    // A server that cancelled its request, or is gone, waits for no answer.
    if (asked.signal.aborted) return;
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

/** Notifications that may have a listener, and the checks on their parameters. */
const SOUND: ReadonlyMap<string, (params: Fields) => boolean> = new Map([
  ['notifications/tools/list_changed', always],
  ['notifications/prompts/list_changed', always],
  ['notifications/resources/list_changed', always],
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
