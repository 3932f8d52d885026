// The connections of one client to the servers. A question of a server goes to the client whose request it works on.

import { type CancelSignal, isObject, type JsonObject } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import {
  LIST_CHANGES,
  type Era,
  type HostRelay,
  type RelayedRequest,
  type RelayOptions,
  type RelayReply,
  type RelayResult,
  type RelaySession,
} from '@plugboard/host/relay';
import { type Client, clientName, deskFor, type Exchange, lackOf } from '../client/index.ts';
import {
  failed,
  INVALID_PARAMS,
  LOG_LEVEL,
  metaOf,
  METHOD_NOT_FOUND,
  textOr,
  withoutReserved,
} from '../message/index.ts';
import { askAtDesk, askUser } from './ask-user.ts';
import { afterInput, type UpstreamRequest } from './input-rounds.ts';

/** Connects a client to a server for one request; `undefined` if the client cancelled before its turn. */
export type UpstreamOf = <T>(
  server: string,
  exchange: Exchange,
  use: (upstream: Upstream) => Promise<T>,
) => Promise<T | undefined>;

/** Receives messages that belong to no request. */
export interface UpstreamListener {
  notification(server: string, method: string, params: JsonObject): void;
  /** Asks the client while none of its requests is being worked on. */
  readonly ask?: (method: string, params: JsonObject, signal: CancelSignal) => Promise<RelayReply>;
  /** Reports a connection that ended unexpectedly. */
  readonly ended?: (server: string) => void;
}

/** The callbacks for a request on its way. */
type RequestListeners = Pick<RelayOptions, 'onNotification' | 'observer'>;

/** Modern clients receive changes by `subscriptions/listen`, and nothing about pages. */
const NOT_IN_REQUESTS: ReadonlySet<string> = new Set([
  ...LIST_CHANGES,
  'notifications/resources/updated',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
]);

export class Upstream implements AsyncDisposable {
  readonly relay: HostRelay;
  readonly #client: Client;
  readonly #listener: UpstreamListener;
  readonly #exchanges = new Map<string, Exchange[]>();
  /** The level that a legacy client set for all servers. */
  #logLevel: string | undefined;
  readonly #levels = new WeakMap<object, string>();

  constructor(host: Host, client: Client, listener: UpstreamListener) {
    this.#client = client;
    this.#listener = listener;
    this.relay = host.relay({
      owner: client.principal,
      clientInfo: client.clientInfo,
      capabilities: client.capabilities,
      request: (server, request, signal) => this.#answerServer(server, request, signal),
      notification: (server, method, params) => this.#forwardNotification(server, method, params),
      ended: (server) => listener.ended?.(server),
    });
  }

  eraOf(server: string): Era | undefined {
    return this.relay.sessions.ready(server)?.era;
  }

  /**
   * Sends a call of a tool, or any other request. A modern client continues a reply that requires input itself; for a
   * legacy client and for a script, this collects the input.
   */
  async send(request: UpstreamRequest, exchange: Exchange): Promise<RelayResult> {
    const { server } = request;
    const running = this.#exchangesAt(server);
    running.push(exchange);
    const hop = hopOf(request, exchange);
    const onNotification = progressForwarder(exchange);
    const send = (one: UpstreamRequest): Promise<RelayResult> =>
      this.#sendOnce(one, exchange, { onNotification, observer: hop });
    try {
      const after = afterInput(await send(request), { request, exchange, send });
      const answered = after instanceof Promise ? await after : after;
      hop?.ended(answered, request.method);
      return answered;
    } finally {
      running.splice(running.indexOf(exchange), 1);
    }
  }

  #exchangesAt(server: string): Exchange[] {
    const known = this.#exchanges.get(server);
    if (known !== undefined) return known;
    const running: Exchange[] = [];
    this.#exchanges.set(server, running);
    return running;
  }

  /** Sets the level of a legacy client. Servers that are not connected yet receive it before the first request. */
  async setLogLevel(level: string, signal: CancelSignal): Promise<void> {
    this.#logLevel = level;
    const { connected } = this.relay.sessions;
    await Promise.all(connected.map((server) => this.#applyLevel(server, level, signal)));
  }

  #sendOnce(
    request: UpstreamRequest,
    exchange: Exchange,
    listeners: RequestListeners,
  ): Promise<RelayResult> {
    const { server, params } = request;
    const { signal } = exchange;
    const level = exchange.logLevel ?? this.#logLevel;
    const stripped = withoutReserved(params);
    if (level === undefined) return this.#pass(request, stripped, { exchange, listeners });
    return this.#applyLevel(server, level, signal).then((era) => {
      const _meta = { ...metaOf(stripped), [LOG_LEVEL]: level };
      const forServer = era === 'modern' ? { ...stripped, _meta } : stripped;
      return this.#pass(request, forServer, { exchange, listeners });
    });
  }

  #pass(
    request: UpstreamRequest,
    forServer: JsonObject,
    { exchange, listeners }: { readonly exchange: Exchange; readonly listeners: RequestListeners },
  ): Promise<RelayResult> {
    const { server, method, params } = request;
    const { signal, client } = exchange;
    const options = {
      signal,
      capabilities: client.capabilities,
      clientInfo: client.clientInfo,
      from: callerOf(exchange),
      arguments: request.arguments ?? 'as-given',
      onNotification: listeners.onNotification,
      observer: listeners.observer,
    };
    return method === 'tools/call'
      ? this.relay.call({ server, tool: textOr(params['name']) }, forServer, options)
      : this.relay.request(server, { method, params: forServer }, options);
  }

  /** Sets the level at a legacy server; a modern server receives it with each request. */
  async #applyLevel(server: string, level: string, signal: CancelSignal): Promise<Era | undefined> {
    const opened = await this.relay.sessions.open(server);
    if (!opened.ok) return undefined;
    const session = opened.value;
    if (session.era === 'legacy' && this.#levels.get(session) !== level && hasLog(session)) {
      this.#levels.set(session, level);
      const params = { level };
      await this.relay.request(server, { method: 'logging/setLevel', params }, { signal });
    }
    return session.era;
  }

  async #answerServer(
    server: string,
    request: RelayedRequest,
    signal: AbortSignal,
  ): Promise<RelayReply> {
    const { method, params } = request;
    // A server most likely asks because of its latest request.
    const exchange = this.#exchanges.get(server)?.at(-1);
    const lack = lackOf(exchange?.client ?? this.#client, method, params);
    if (lack !== undefined) {
      const code = lack.kind === 'mode' ? INVALID_PARAMS : METHOD_NOT_FOUND;
      const message = `The client behind this gateway cannot answer ${method.slice(0, 100)}`;
      return failed(code, message);
    }
    if (exchange !== undefined) {
      exchange.record?.received(server, { method, params }, 'request');
      const reply = await askUser({ server, method, params }, exchange, signal);
      exchange.record?.replied(server, reply);
      return reply;
    }
    if (deskFor(this.#client, method, params) !== undefined) {
      return askAtDesk({ server, method, params }, this.#client, signal);
    }
    const { ask } = this.#listener;
    return ask === undefined
      ? { error: { code: METHOD_NOT_FOUND, message: 'No request of a client is being worked on' } }
      : ask(method, params, signal);
  }

  /** A legacy client receives all notifications; a modern one only those of its one request. */
  #forwardNotification(server: string, method: string, params: JsonObject): void {
    const running = this.#exchanges.get(server) ?? [];
    if (this.#client.era === 'legacy') {
      const [only, ...others] = running;
      const isLog = method === 'notifications/message';
      if (isLog && only !== undefined && others.length === 0)
        notifyClient(only, server, { method, params });
      else this.#listener.notification(server, method, params);
      return;
    }
    if (NOT_IN_REQUESTS.has(method)) return;
    const candidates =
      method === 'notifications/message'
        ? running.filter(({ logLevel }) => logLevel !== undefined)
        : running;
    // With several candidates, none receives it: it may belong to another client.
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1)
      notifyClient(only, server, { method, params });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay.close();
  }
}

/** The recorded hop to the server. A call in a script does not determine the server of the client's request. */
function hopOf({ server, params }: UpstreamRequest, { record, inScript }: Exchange) {
  return inScript === undefined
    ? record?.sentTo(server, params['name'] ?? params['uri'])
    : record?.sentToInScript(server);
}

function notifyClient(
  exchange: Exchange,
  server: string,
  { method, params }: RelayedRequest,
): void {
  exchange.record?.received(server, { method, params });
  exchange.notify(method, params);
}

/** Forwards progress under the client's own token, and only if it increases. */
function progressForwarder(exchange: Exchange): (method: string, params: JsonObject) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (method, params) => {
    const { progressToken } = exchange;
    const { progress } = params;
    if (progressToken === undefined || typeof progress !== 'number' || progress <= last) return;
    last = progress;
    exchange.notify(method, { ...params, progressToken });
  };
}

function hasLog({ hello }: RelaySession): boolean {
  const { capabilities } = hello;
  return isObject(capabilities) && capabilities['logging'] !== undefined;
}

function callerOf({ id: callId, client, inScript }: Exchange): NonNullable<RelayOptions['from']> {
  const asker = clientName(client);
  if (inScript === undefined) return { callId, asker };
  const inName = inScript.asker === undefined ? asker : `${asker}, ${inScript.asker}`;
  return { ...inScript, callId, asker: inName };
}
