// The client of a legacy server on one stream: numbers requests, enforces their deadlines, and matches answers to them.
// It works without the SDK, which takes longer to load than a call takes, and whose checks and timers cost several times
// as much as a call. The caller checks results; legacy-inbound.ts handles messages that the server initiates.

import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, isObject } from '@plugboard/base';
import { rpcFailure } from './classify.ts';
import { LATEST_LEGACY, type LegacyHandshake, readHandshake } from './legacy-handshake.ts';
import { LegacyInbound } from './legacy-inbound.ts';
import { FailureError } from './neutral/failure.ts';
import type { Progress, ServerIdentity } from './neutral/model.ts';
import type { PausableTimer } from './patience.ts';
import {
  abortedRequest,
  pendingId,
  type PendingOptions,
  PendingRequests,
} from './pending-requests.ts';
import type { SessionClient } from './session-client.ts';

type Fields = Record<string, unknown>;

const LOG_LEVEL_MS = 10_000;

export interface LegacyOptions {
  readonly identity: ServerIdentity;
  /** The requests of servers that this host can answer. */
  readonly capabilities: Readonly<Record<string, object>>;
  /** The server's answer to the handshake of another host. */
  readonly known: LegacyHandshake | undefined;
  readonly clock: Clock;
}

/** The class has every member that a session uses, with the signatures that the session uses. */
export function legacyClient(options: LegacyOptions): SessionClient {
  return new LegacyClient(options) as unknown as SessionClient;
}

export interface LegacyRequestOptions extends PendingOptions {
  /** Not a `CancelSignal`, because the SDK's client must accept the same options. */
  readonly signal?: AbortSignal;
  /** If given, the server is asked to report progress, and each report restarts the idle deadline. */
  readonly onprogress?: (progress: Progress) => void;
}

export class LegacyClient {
  onclose?: () => void;
  readonly limits: PausableTimer;
  readonly #options: LegacyOptions;
  readonly #inbound: LegacyInbound;
  readonly #requests: PendingRequests<LegacyRequestOptions>;
  #transport: Transport | undefined;
  #handshake: LegacyHandshake | undefined;
  #isEnded = false;

  constructor(options: LegacyOptions) {
    this.#options = options;
    this.#requests = new PendingRequests(
      options.clock,
      (id, reason) => void this.#notifyCancelled(id, reason),
    );
    this.limits = this.#requests.limits;
    this.#handshake = options.known;
    this.#inbound = new LegacyInbound(async (message) => this.#transport?.send(message));
    this.setRequestHandler = this.#inbound.setRequestHandler;
    this.setNotificationHandler = this.#inbound.setNotificationHandler;
  }

  readonly setRequestHandler: LegacyInbound['setRequestHandler'];
  readonly setNotificationHandler: LegacyInbound['setNotificationHandler'];

  set fallbackNotificationHandler(handler: LegacyInbound['fallback']) {
    this.#inbound.fallback = handler;
  }

  async connect(transport: Transport, options: LegacyRequestOptions): Promise<void> {
    this.#transport = transport;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => {
      this.#inbound.end();
      try {
        this.onclose?.();
      } finally {
        this.#end();
      }
    };
    await transport.start();
    const { identity: clientInfo, capabilities, known } = this.#options;
    const protocolVersion = known?.protocolVersion ?? LATEST_LEGACY;
    const params = { protocolVersion, capabilities, clientInfo: { ...clientInfo } };
    if (known !== undefined) {
      // Tells the broker the capabilities of this host. The result is known already.
      const id = this.#requests.takeId();
      await transport.send({ jsonrpc: '2.0', id, method: 'initialize', params });
      return;
    }
    const answer = await this.request({ method: 'initialize', params }, undefined, options);
    const handshake = readHandshake(answer);
    if (!handshake.ok) {
      throw new FailureError({ kind: 'invalid-result', detail: handshake.error });
    }
    this.#handshake = handshake.value;
    transport.setProtocolVersion?.(handshake.value.protocolVersion);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }

  /** The result as the server sent it. Rejects with a `FailureError`, or with what the transport threw. */
  request(
    { method, params }: { readonly method: string; readonly params: Fields },
    _schema: unknown,
    options: LegacyRequestOptions,
  ): Promise<unknown> {
    const transport = this.#transport;
    if (transport === undefined || this.#isEnded) {
      return Promise.reject(new FailureError({ kind: 'closed' }));
    }
    const { signal } = options;
    if (signal?.aborted === true) return Promise.reject(abortedRequest(signal));
    const id = this.#requests.takeId();
    return new Promise((resolve, reject) => {
      this.#requests.add(id, options, { resolve, reject });
      const sentParams = options.onprogress === undefined ? params : withToken(params, id);
      try {
        transport
          .send({ jsonrpc: '2.0', id, method, params: sentParams })
          .catch((thrown: unknown) => this.#requests.take(id)?.reject(thrown));
      } catch (thrown) {
        // The parameters cannot be written as JSON.
        this.#requests.take(id)?.reject(thrown);
      }
    });
  }

  /** Subscriptions exist only in the modern era. */
  listen(): Promise<never> {
    return Promise.reject(new FailureError({ kind: 'unexpected', message: 'not in this era' }));
  }

  async setLoggingLevel(level: string): Promise<void> {
    const timeout = LOG_LEVEL_MS;
    await this.request({ method: 'logging/setLevel', params: { level } }, undefined, { timeout });
  }

  async sendRootsListChanged(): Promise<void> {
    const method = 'notifications/roots/list_changed';
    await this.#transport?.send({ jsonrpc: '2.0', method });
  }

  getProtocolEra(): ReturnType<Client['getProtocolEra']> {
    return 'legacy';
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#handshake?.protocolVersion;
  }

  getServerCapabilities(): LegacyHandshake['capabilities'] | undefined {
    return this.#handshake?.capabilities;
  }

  getServerVersion(): LegacyHandshake['serverInfo'] | undefined {
    return this.#handshake?.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.#handshake?.instructions;
  }

  /** Drops answers to unknown requests and to requests that were given up. */
  #receive(message: JSONRPCMessage): void {
    if ('method' in message) {
      if (message.method === 'notifications/progress') this.#receiveProgress(message.params);
      else this.#inbound.receive(message);
      return;
    }
    const pending = this.#requests.take(pendingId(message.id));
    if ('error' in message) pending?.reject(new FailureError(rpcFailure(message.error)));
    else pending?.resolve(message.result);
  }

  #end(): void {
    this.#isEnded = true;
    this.#requests.end();
  }

  async #notifyCancelled(requestId: number, reason: string): Promise<void> {
    const params = { requestId, reason };
    try {
      await this.#transport?.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    } catch {
      // The cancellation is lost, and the server continues to work.
    }
  }

  #receiveProgress(params: Readonly<Fields> = {}): void {
    const progress = readProgress(params);
    const id = pendingId(params['progressToken']);
    const onProgress =
      progress === undefined ? undefined : this.#requests.keepAlive(id)?.onprogress;
    if (progress === undefined || onProgress === undefined) return;
    try {
      onProgress(progress);
    } catch {
      // A listener that throws must not fail the message that the transport is delivering.
    }
  }
}

function withToken(params: Fields, progressToken: number): Fields {
  const { _meta } = params;
  const meta = isObject(_meta) ? { ..._meta, progressToken } : { progressToken };
  // A member after a spread costs a call to a quick server a twentieth more than this, measured with Node 20.
  return Object.assign({}, params, { _meta: meta });
}

/** Returns `undefined` for a malformed report. */
function readProgress({ progress, total, message }: Readonly<Fields>): Progress | undefined {
  if (typeof progress !== 'number') return undefined;
  if (total !== undefined && typeof total !== 'number') return undefined;
  if (message !== undefined && typeof message !== 'string') return undefined;
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}
