// The session of a legacy client, over whatever carries its messages: it begins with `initialize`, has connections to
// servers of its own, can be asked, and hears what changes.

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
import type { RelayReply } from '@plugboard/host/relay';
import {
  type Client,
  clientName,
  type Exchange,
  type KnownClient,
  withDesk,
} from '../client/index.ts';
import { Upstream, type UpstreamOf } from '../endpoint/index.ts';
import {
  failed,
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
import { ANNOUNCED_AFTER_MS, CHANGED_LISTS, type ChangedList, type ClientContext } from './core.ts';
import { SessionSubscriptions } from './session-subscriptions.ts';

/** What the gateway sends on its own. */
export type Outgoing =
  | { readonly method: string; readonly params: JsonObject }
  | { readonly id: RequestId; readonly method: string; readonly params: JsonObject };

export interface LegacySessionPorts extends ClientContext {
  /** Sends what belongs to no request. */
  readonly send: (message: Outgoing) => void;
}

/** What a front has of one request. */
export interface RequestWay {
  /** The client gives the request up by it. */
  readonly signal?: RequestSignal | undefined;
  /** Of HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  /** Sends what belongs to the request; as what belongs to none, by default. */
  readonly send?: (message: Outgoing) => void;
}

/** What accompanies one request. */
interface Course {
  readonly signal: CancelSignal;
  readonly send: (message: Outgoing) => void;
  readonly record?: CallRecord | undefined;
}

const SET_LEVEL_MS = 10_000;
/** A question that a client has not answered for so long is given up: the deadline of a call waits for people. */
const ASKED_MS = 10 * 60_000;
/** Questions that wait for an answer at a time. */
const MOST_ASKED = 100;

/** Servers' notifications that the host's own connections also bring: they are announced from there. */
const ANNOUNCED: ReadonlySet<string> = new Set(
  CHANGED_LISTS.map((list) => `notifications/${list}/list_changed`),
);

export class LegacySession implements AsyncDisposable {
  /** Under which its client is known. */
  readonly #id = randomUUID();
  readonly #ports: LegacySessionPorts;
  readonly #running = new BriefMap<RequestId, RequestSignal>();
  readonly #asked = new Map<RequestId, (reply: RpcReply) => void>();
  readonly #changed = new Set<ChangedList>();
  readonly #subscriptions: SessionSubscriptions;
  #upstream: Upstream | undefined;
  #client: Client | undefined;
  #known: KnownClient | undefined;
  #changes: Disposable | undefined;
  #askCount = 0;
  #exchanges = 0;
  #closing: Promise<void> | undefined;
  /** In the client's revision. */
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

  /** Whether it has connections to servers that it can do without while its client is away. */
  get canRest(): boolean {
    return this.#spare.length > 0;
  }

  /** Ends them; the next request opens others. */
  async rest(): Promise<void> {
    await this.#upstream?.relay.sessions.leave(this.#spare);
  }

  /** All but those on which the client has a task, or waits for the changes of a resource. */
  get #spare(): readonly string[] {
    const connected = this.#upstream?.relay.sessions.connected ?? [];
    if (this.#client === undefined || connected.length === 0) return [];
    const { tasks } = this.#ports.core;
    const needed = new Set([...tasks.serversOf(this.#client), ...this.#subscriptions.servers]);
    return connected.filter((server) => !needed.has(server));
  }

  async request(request: RpcRequest, way: RequestWay = {}): Promise<RpcReply> {
    const { signal = new RequestSignal(), headers, send = this.#ports.send } = way;
    const { id } = request;
    const { clients, recorder } = this.#ports.core;
    const known = this.#known;
    const refusal = known && clients.begin(known);
    if (refusal !== undefined) return refusal;
    const record = recorder?.begin({
      ...{ ...request, headers },
      client: known ?? this.#newcomer(request),
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

  /** A client that introduces itself. */
  #newcomer({ params: { clientInfo } }: RpcRequest): RecordedClient {
    const { principal } = this.#ports;
    return {
      id: this.#id,
      name: clientName({ clientInfo: isObject(clientInfo) ? clientInfo : {} }),
      era: 'legacy',
      principal,
    };
  }

  #handle(request: RpcRequest, course: Course): RpcReply | Promise<RpcReply> {
    const { method } = request;
    if (method === 'initialize') return this.#initialize(request, course);
    if (method === 'ping') return { result: {} };
    const client = this.#client;
    const upstream = this.#upstream;
    if (client === undefined || upstream === undefined) {
      return failed(INVALID_REQUEST, 'The session begins with "initialize"');
    }
    if (method === 'logging/setLevel') return this.#setLevel(request, upstream);
    const exchange = this.#exchange(client, request, course);
    const passed = (): Promise<RpcReply> =>
      this.#ports.endpoint.handle(request, exchange, this.#upstreamOf(upstream));
    return method === 'resources/subscribe' || method === 'resources/unsubscribe'
      ? this.#subscriptions.handle(request, exchange, { upstream, passed })
      : passed();
  }

  /** Modern servers keep nothing between requests: all clients have one connection. At its own address, a server hears all. */
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
    // Where there are many servers, what no revision knows could be for any of them.
    if (!isRoots && this.#ports.endpoint.scope.kind !== 'server') return;
    for (const server of relay?.sessions.connected ?? []) {
      if (!isRoots || relay?.sessions.ready(server)?.era === 'legacy')
        relay?.notify(server, method, params);
    }
  }

  answer(id: RequestId, reply: RpcReply): void {
    this.#asked.get(id)?.(reply);
    this.#asked.delete(id);
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
    for (const [id, settle] of this.#asked) {
      this.#asked.delete(id);
      settle({ error: { code: -32_603, message: 'The client is gone' } });
    }
    await this.#upstream?.[Symbol.asyncDispose]();
  }

  async #initialize(request: RpcRequest, { signal, send }: Course): Promise<RpcReply> {
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
    // At once: a session that ends meanwhile has to end what it began to open.
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
    this.#changes = core.onChange(endpoint, (list) => this.#changedList(list));
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

  #exchange(client: Client, request: RpcRequest, { signal, send, record }: Course): Exchange {
    return {
      id: `${this.#id}/${(this.#exchanges += 1)}`,
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

  #ask(method: string, params: JsonObject, { signal, send, record }: Course): Promise<RelayReply> {
    const { core } = this.#ports;
    const id = `plugboard-${(this.#askCount += 1)}`;
    if (this.#asked.size >= MOST_ASKED) {
      const message = 'Too many questions wait for an answer';
      return Promise.resolve({ error: { code: -32_603, message } });
    }
    if (signal.aborted) return Promise.resolve(GIVEN_UP);
    return new Promise((resolve) => {
      const gone = (): void => {
        if (!this.#asked.delete(id)) return;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', gone);
        const leaving = { method: 'notifications/cancelled', params: { requestId: id } };
        record?.toClient(leaving);
        send(leaving);
        resolve(GIVEN_UP);
      };
      const limit = core.options.clock.after(ASKED_MS, gone);
      signal.addEventListener('abort', gone, { once: true });
      this.#asked.set(id, (reply) => {
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', gone);
        record?.fromClient({ id, ...reply });
        resolve(reply);
      });
      record?.toClient({ id, method, params });
      send({ id, method, params });
    });
  }

  /** Once for many changes at a time. */
  #changedList(list: ChangedList): void {
    const { core, send } = this.#ports;
    if (this.#changed.has(list)) return;
    this.#changed.add(list);
    core.options.clock.after(ANNOUNCED_AFTER_MS, () => {
      this.#changed.delete(list);
      if (this.isOpen) send({ method: `notifications/${list}/list_changed`, params: {} });
    });
  }
}

const GIVEN_UP: RelayReply = { error: { code: -32_603, message: 'The request was given up' } };

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

function agreedVersion(wanted: string): string {
  const known: readonly string[] = LEGACY_REVISIONS;
  return known.includes(wanted) ? wanted : LEGACY_REVISIONS[0];
}
