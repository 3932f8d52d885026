// A client of a legacy server with which another host has done the handshake already: it knows the result, and
// so works without the SDK, which takes longer to load than a call takes. The SDK is loaded only when the
// server asks something, to check the request. Requests use the call lane.

import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, isObject, messageOf, never } from '@plugboard/base';
import { type CallLane, openLane } from './call-lane.ts';
import type { RequestId } from './frame/failed-answer.ts';
import { FailureError } from './neutral/failure.ts';
import type { Progress, ServerIdentity } from './neutral/model.ts';
import type { MadeClient, SessionClient } from './session-client.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the server answered to the handshake of another host, checked once. */
export interface KnownHandshake {
  readonly protocolVersion: string;
  readonly capabilities: Fields;
  readonly serverInfo: Fields;
  readonly instructions: string | undefined;
}

const LEGACY_REVISIONS: ReadonlySet<unknown> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]);
const SKILLS = 'io.modelcontextprotocol/skills';
const LOG_LEVEL_MS = 10_000;

/** `undefined` if it is malformed, or the server has skills, which need the SDK. */
export function readHandshake(result: unknown): KnownHandshake | undefined {
  if (!isObject(result)) return undefined;
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  if (!LEGACY_REVISIONS.has(protocolVersion) || !isObject(capabilities)) return undefined;
  if (!isObject(serverInfo) || typeof serverInfo['name'] !== 'string') return undefined;
  if (typeof serverInfo['version'] !== 'string') return undefined;
  if (instructions !== undefined && typeof instructions !== 'string') return undefined;
  const { extensions } = capabilities;
  if (isObject(extensions) && extensions[SKILLS] !== undefined) return undefined;
  return { protocolVersion: String(protocolVersion), capabilities, serverInfo, instructions };
}

export interface LightOptions {
  readonly identity: ServerIdentity;
  /** What servers can ask of this host. */
  readonly capabilities: Fields;
  readonly known: KnownHandshake;
  readonly clock: Clock;
}

export function lightClient(options: LightOptions): MadeClient {
  const client = new LightClient(options);
  // It has every member that is picked, with the signatures that a session uses.
  return { client: client as unknown as SessionClient, lane: () => client.lane };
}

type RequestHandler = (
  request: Fields,
  context: { readonly mcpReq: { readonly signal: AbortSignal } },
) => unknown;
type NotificationHandler = (notification: Fields) => void;

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeout: number;
  readonly maxTotalTimeout?: number;
  readonly onprogress?: (progress: Progress) => void;
}

class LightClient {
  onclose?: () => void;
  lane: CallLane | undefined;
  readonly #options: LightOptions;
  readonly #requests = new Map<string, RequestHandler>();
  readonly #notifications = new Map<string, NotificationHandler>();
  /** Requests from the server that are being answered. */
  readonly #asked = new Map<RequestId, AbortController>();
  #transport: Transport | undefined;

  constructor(options: LightOptions) {
    this.#options = options;
  }

  async connect(transport: Transport): Promise<void> {
    const { identity: clientInfo, capabilities, known, clock } = this.#options;
    this.#transport = transport;
    transport.onmessage = (message: JSONRPCMessage) => this.#receive(message);
    transport.onclose = () => {
      for (const asked of this.#asked.values()) asked.abort();
      this.onclose?.();
    };
    this.lane = openLane(transport, clock);
    await transport.start();
    // Tells the broker what this host can be asked. The result is known already.
    const { protocolVersion } = known;
    const params = { protocolVersion, capabilities, clientInfo: { ...clientInfo } };
    await transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }

  request(
    { method, params }: { readonly method: string; readonly params: Record<string, unknown> },
    _schema: unknown,
    { signal = never, timeout, maxTotalTimeout = timeout, onprogress }: RequestOptions,
  ): Promise<unknown> {
    if (this.lane === undefined) return Promise.reject(new FailureError({ kind: 'closed' }));
    return this.lane.request(method, params, {
      signal,
      idleMs: timeout,
      hardMs: maxTotalTimeout,
      ...(onprogress === undefined ? {} : { onProgress: onprogress }),
    });
  }

  /** Only exists in the modern era. */
  listen(): Promise<never> {
    return Promise.reject(new FailureError({ kind: 'unexpected', message: 'not in this era' }));
  }

  async setLoggingLevel(level: string): Promise<void> {
    await this.request({ method: 'logging/setLevel', params: { level } }, undefined, {
      timeout: LOG_LEVEL_MS,
    });
  }

  async sendRootsListChanged(): Promise<void> {
    const method = 'notifications/roots/list_changed';
    await this.#transport?.send({ jsonrpc: '2.0', method });
  }

  setRequestHandler(method: string, handler: RequestHandler): void {
    this.#requests.set(method, handler);
  }

  setNotificationHandler(method: string, handler: NotificationHandler): void {
    this.#notifications.set(method, handler);
  }

  getProtocolEra(): ReturnType<Client['getProtocolEra']> {
    return 'legacy';
  }

  getNegotiatedProtocolVersion(): string {
    return this.#options.known.protocolVersion;
  }

  getServerCapabilities(): Fields {
    return this.#options.known.capabilities;
  }

  getServerVersion(): Fields {
    return this.#options.known.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.#options.known.instructions;
  }

  #receive(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params = {} } = message;
    if ('id' in message) {
      void this.#answer(message.id, method, params);
    } else if (method === 'notifications/cancelled') {
      this.#asked.get(params['requestId'] as RequestId)?.abort();
    } else if (SOUND[method]?.(params) === true) {
      this.#notifications.get(method)?.({ method, params });
    }
  }

  async #answer(id: RequestId, method: string, params: Fields): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(id, asked);
    const answer = await this.#answerTo({ method, params }, asked.signal);
    this.#asked.delete(id);
    // A server that cancelled its request, or is gone, waits for no answer.
    if (asked.signal.aborted) return;
    await this.#transport
      ?.send({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage)
      .catch(() => {});
  }

  async #answerTo(
    request: { readonly method: string; readonly params: Fields },
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown } | { readonly error: Fields }> {
    if (request.method === 'ping') return { result: {} };
    const handler = this.#requests.get(request.method);
    if (handler === undefined) return { error: { code: -32_601, message: 'Method not found' } };
    try {
      const sound = request.method === 'roots/list' ? request : await checked(request);
      if (sound === undefined) return { error: { code: -32_602, message: 'Invalid params' } };
      return { result: await handler(sound, { mcpReq: { signal } }) };
    } catch (thrown) {
      const code =
        isObject(thrown) && Number.isSafeInteger(thrown['code']) ? thrown['code'] : -32_603;
      return { error: { code, message: messageOf(thrown) } };
    }
  }
}

const always = (): boolean => true;

/** Notifications that may have a listener, and the checks on their parameters. */
const SOUND: Readonly<Record<string, (params: Fields) => boolean>> = {
  'notifications/tools/list_changed': always,
  'notifications/prompts/list_changed': always,
  'notifications/resources/list_changed': always,
  'notifications/message': ({ level, logger, data }) =>
    typeof level === 'string' &&
    (logger === undefined || typeof logger === 'string') &&
    data !== undefined,
  'notifications/resources/updated': ({ uri }) => typeof uri === 'string',
  'notifications/elicitation/complete': ({ elicitationId }) => typeof elicitationId === 'string',
};

async function checked(request: { readonly method: string }): Promise<Fields | undefined> {
  const { soundRequest } = await import('./sound-request.ts');
  return soundRequest(request);
}
