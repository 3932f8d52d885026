// The session of a legacy client, over any transport. It begins with `initialize`, has its own connections to servers, and
// sends the client requests and notifications of changes.

import { randomUUID } from 'node:crypto';
import {
  BriefMap,
  type CancelSignal,
  deadline,
  isObject,
  type JsonObject,
  never,
  RequestSignal,
} from '@plugboard/base';
import { LIST_CHANGES, listChanged, type ListKind, type RelayReply } from '@plugboard/host/relay';
import {
  type Client,
  clientName,
  type Exchange,
  GIVEN_UP,
  type KnownClient,
  MOST_QUESTIONS,
  TOO_MANY_QUESTIONS,
  withDesk,
} from '../client/index.ts';
import { Upstream, type UpstreamOf } from '../endpoint/index.ts';
import {
  failed,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LEGACY_REVISIONS,
  metaOf,
  type RequestId,
  type RpcNotification,
  type RpcReply,
  type RpcRequest,
} from '../message/index.ts';
import type { CallRecord, RecordedClient } from '../traffic/index.ts';
import { ANNOUNCED_AFTER_MS, type ClientContext } from './core.ts';
import { SessionSubscriptions } from './session-subscriptions.ts';

/** A notification or request that the gateway sends. */
export type Outgoing =
  | { readonly method: string; readonly params: JsonObject }
  | { readonly id: RequestId; readonly method: string; readonly params: JsonObject };

export interface LegacySessionPorts extends ClientContext {
  /** Sends a message that belongs to no request. */
  readonly send: (message: Outgoing) => void;
}

/** What a front knows about one request. */
export interface RequestOptions {
  /** Aborts when the client cancels the request. */
  readonly signal?: RequestSignal | undefined;
  /** Over HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  /** Sends a message that belongs to the request; by default, like one that belongs to none. */
  readonly send?: (message: Outgoing) => void;
}

/** What accompanies one request. */
interface RequestContext {
  readonly signal: CancelSignal;
  readonly send: (message: Outgoing) => void;
  readonly record?: CallRecord | undefined;
}

const SET_LEVEL_MS = 10_000;
/** When to give up a question to a client: the deadline of a call is paused while people answer. */
const QUESTION_MS = 10 * 60_000;

/** Notifications that are not forwarded, since the core announces the same changes. */
const ANNOUNCED: ReadonlySet<string> = new Set(LIST_CHANGES);

export class LegacySession implements AsyncDisposable {
  /** Also the id of the client. */
  readonly #id = randomUUID();
  readonly #ports: LegacySessionPorts;
  readonly #running = new BriefMap<RequestId, RequestSignal>();
  readonly #questions = new Map<RequestId, (reply: RpcReply) => void>();
  readonly #unannounced = new Set<ListKind>();
  readonly #subscriptions: SessionSubscriptions;
  #upstream: Upstream | undefined;
  #client: Client | undefined;
  #known: KnownClient | undefined;
  #changes: Disposable | undefined;
  #askCount = 0;
  #exchangeCount = 0;
  #closing: Promise<void> | undefined;
  /** The agreed revision. */
  #version = '';
  #logLevel: string | undefined;

  constructor(ports: LegacySessionPorts) {
    this.#ports = ports;
    const { core, endpoint, send } = ports;
    this.#subscriptions = new SessionSubscriptions(endpoint, core.modernUpstreams, (uri) =>
      send({ method: 'notifications/resources/updated', params: { uri } }),
    );
  }

  get isOpen(): boolean {
    return this.#client !== undefined && this.#closing === undefined;
  }

  get version(): string {
    return this.#version;
  }

  /** How many requests are being worked on. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether it has connections that it does not need while its client is away. */
  get canRest(): boolean {
    return this.#idleServers.length > 0;
  }

  /** Closes those connections; the next request opens new ones. */
  async rest(): Promise<void> {
    await this.#upstream?.relay.sessions.leave(this.#idleServers);
  }

  /** All servers but those on which the client has a task or a subscription. */
  get #idleServers(): readonly string[] {
    const connected = this.#upstream?.relay.sessions.connected ?? [];
    if (this.#client === undefined || connected.length === 0) return [];
    const { tasks } = this.#ports.core;
    const needed = new Set([...tasks.serversOf(this.#client), ...this.#subscriptions.servers]);
    return connected.filter((server) => !needed.has(server));
  }

  async request(request: RpcRequest, options: RequestOptions = {}): Promise<RpcReply> {
    const { signal = new RequestSignal(), headers, send = this.#ports.send } = options;
    const { id } = request;
    const { clients, recorder } = this.#ports.core;
    const known = this.#known;
    const refusal = known && clients.begin(known);
    if (refusal !== undefined) return refusal;
    const record = recorder?.begin({
      ...{ ...request, headers },
      client: known ?? this.#introducedClient(request),
    });
    let reply: RpcReply | undefined;
    const isFirst = !this.#running.has(id);
    if (isFirst) this.#running.set(id, signal);
    try {
      reply = isFirst
        ? await this.#handle(request, { signal, send, record })
        : failed(INVALID_REQUEST, 'A request with this id is running');
      return reply;
    } finally {
      if (isFirst) this.#running.take(id);
      if (reply !== undefined) record?.end({ id, ...reply });
      if (known !== undefined) clients.end(known, reply);
    }
  }

  /** The client of an `initialize` request. */
  #introducedClient({ params: { clientInfo } }: RpcRequest): RecordedClient {
    const { principal } = this.#ports;
    return {
      id: this.#id,
      name: clientName({ clientInfo: isObject(clientInfo) ? clientInfo : {} }),
      era: 'legacy',
      principal,
    };
  }

  #handle(request: RpcRequest, context: RequestContext): RpcReply | Promise<RpcReply> {
    const { method } = request;
    if (method === 'initialize') return this.#initialize(request, context);
    if (method === 'ping') return { result: {} };
    const client = this.#client;
    const upstream = this.#upstream;
    if (client === undefined || upstream === undefined) {
      return failed(INVALID_REQUEST, 'The session begins with "initialize"');
    }
    if (method === 'logging/setLevel') return this.#setLevel(request, upstream);
    const exchange = this.#exchange(client, request, context);
    const forward = (): Promise<RpcReply> =>
      this.#ports.endpoint.handle(request, exchange, this.#upstreamOf(upstream));
    return method === 'resources/subscribe' || method === 'resources/unsubscribe'
      ? this.#subscriptions.handle(request, exchange, { upstream, forward })
      : forward();
  }

  /** All clients share one connection to a modern server, except at its own endpoint, where it receives all notifications. */
  #upstreamOf(own: Upstream): UpstreamOf {
    const { core, endpoint } = this.#ports;
    const { modernUpstreams } = core;
    return (server, exchange, use) =>
      endpoint.scope.kind !== 'server' && modernUpstreams.isModern(server)
        ? modernUpstreams.use(server, exchange, use)
        : use(own);
  }

  notification({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') {
      const { requestId } = params;
      const running = this.#running.get(requestId as RequestId);
      running?.abort(
        new Error(typeof params['reason'] === 'string' ? params['reason'] : 'cancelled'),
      );
      return;
    }
    if (method === 'notifications/initialized' || method === 'notifications/progress') return;
    const { relay } = this.#upstream ?? {};
    const isRoots = method === 'notifications/roots/list_changed';
    // With several servers, an unknown notification could be for any of them.
    if (!isRoots && this.#ports.endpoint.scope.kind !== 'server') return;
    for (const server of relay?.sessions.connected ?? []) {
      if (!isRoots || relay?.sessions.ready(server)?.era === 'legacy')
        relay?.notify(server, method, params);
    }
  }

  answer(id: RequestId, reply: RpcReply): void {
    this.#questions.get(id)?.(reply);
    this.#questions.delete(id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#changes?.[Symbol.dispose]();
    if (this.#known !== undefined) this.#ports.core.clients.leave(this.#known);
    this.#subscriptions[Symbol.dispose]();
    for (const running of this.#running.values()) running.abort();
    for (const [id, settle] of this.#questions) {
      this.#questions.delete(id);
      settle(failed(INTERNAL_ERROR, 'The client is gone'));
    }
    await this.#upstream?.[Symbol.asyncDispose]();
  }

  async #initialize(request: RpcRequest, { signal, send }: RequestContext): Promise<RpcReply> {
    const { params } = request;
    const { core, endpoint, principal, front } = this.#ports;
    if (this.#upstream !== undefined) {
      return failed(INVALID_REQUEST, 'The session was initialized already');
    }
    const { protocolVersion, capabilities, clientInfo } = params;
    if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isObject(clientInfo)) {
      return failed(
        INVALID_PARAMS,
        '"initialize" needs "protocolVersion", "capabilities" and "clientInfo"',
      );
    }
    const introduced: Client = {
      era: 'legacy',
      principal,
      owner: this.#id,
      clientInfo: clientInfo,
      capabilities: capabilities,
    };
    const client = withDesk(introduced, core.options.desk);
    const upstream = new Upstream(core.options.host, client, {
      notification: (_, method, about) => {
        if (!ANNOUNCED.has(method)) this.#ports.send({ method, params: about });
      },
      ask: (method, about, abort) =>
        this.#ask(method, about, { signal: abort, send: this.#ports.send }),
      ended: (server) => void this.#subscriptions.renew(server, upstream),
    });
    // Set before the wait, so that a session that ends meanwhile closes it.
    this.#upstream = upstream;
    const exchange = this.#exchange(client, request, { signal, send });
    const hello = await endpoint.hello(exchange, (_, __, use) => use(upstream));
    if ('error' in hello) {
      this.#upstream = undefined;
      await upstream[Symbol.asyncDispose]();
      return hello;
    }
    this.#client = client;
    this.#known = core.clients.join(this.#id, { ...client, front, path: endpoint.path });
    this.#version = agreedVersion(protocolVersion);
    this.#changes = core.onChange(endpoint, (list) => this.#announce(list));
    return { result: { protocolVersion: this.#version, ...hello.result } };
  }

  async #setLevel({ params }: RpcRequest, upstream: Upstream): Promise<RpcReply> {
    const { level } = params;
    if (typeof level !== 'string' || !LEVELS.has(level)) {
      return failed(INVALID_PARAMS, `"level" has to be one of ${[...LEVELS].join(', ')}`);
    }
    this.#logLevel = level;
    using limit = deadline(SET_LEVEL_MS, this.#ports.core.options.clock, never);
    await upstream.setLogLevel(level, limit.signal);
    return { result: {} };
  }

  #exchange(
    client: Client,
    request: RpcRequest,
    { signal, send, record }: RequestContext,
  ): Exchange {
    return {
      id: `${this.#id}/${(this.#exchangeCount += 1)}`,
      client,
      signal,
      record,
      progressToken: metaOf(request.params)['progressToken'],
      logLevel: this.#logLevel,
      notify: (method, params) => {
        record?.toClient({ method, params });
        send({ method, params });
      },
      ask: (method, params, abort) => this.#ask(method, params, { signal: abort, send, record }),
    };
  }

  #ask(
    method: string,
    params: JsonObject,
    { signal, send, record }: RequestContext,
  ): Promise<RelayReply> {
    const { core } = this.#ports;
    const id = `plugboard-${(this.#askCount += 1)}`;
    if (this.#questions.size >= MOST_QUESTIONS) return Promise.resolve(TOO_MANY_QUESTIONS);
    if (signal.aborted) return Promise.resolve(GIVEN_UP);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (!this.#questions.delete(id)) return;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', giveUp);
        const cancelled = { method: 'notifications/cancelled', params: { requestId: id } };
        record?.toClient(cancelled);
        send(cancelled);
        resolve(GIVEN_UP);
      };
      const limit = core.options.clock.after(QUESTION_MS, giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#questions.set(id, (reply) => {
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', giveUp);
        record?.fromClient({ id, ...reply });
        resolve(reply);
      });
      record?.toClient({ id, method, params });
      send({ id, method, params });
    });
  }

  /** Announces many changes at a time once. */
  #announce(list: ListKind): void {
    const { core, send } = this.#ports;
    if (this.#unannounced.has(list)) return;
    this.#unannounced.add(list);
    core.options.clock.after(ANNOUNCED_AFTER_MS, () => {
      this.#unannounced.delete(list);
      if (this.isOpen) send({ method: listChanged(list), params: {} });
    });
  }
}

const LEVELS: ReadonlySet<string> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

function agreedVersion(requested: string): string {
  const known: readonly string[] = LEGACY_REVISIONS;
  return known.includes(requested) ? requested : LEGACY_REVISIONS[0];
}
