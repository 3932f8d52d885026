// The session of a legacy client, over whatever carries its messages: it begins with `initialize`, has connections to
// servers of its own, can be asked, and hears what changes.

import { randomUUID } from 'node:crypto';
import { deadline, isObject, type JsonObject, never } from '@plugboard/base';
import type { RelayReply } from '@plugboard/host/relay';
import type { Client, Exchange } from '../client/index.ts';
import { type Endpoint, Upstream } from '../endpoint/index.ts';
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
import type { Change, ChangedList, GatewayCore } from './core.ts';
import { SessionSubscriptions } from './session-subscriptions.ts';

/** What the gateway sends on its own. */
export type Outgoing =
  | { readonly method: string; readonly params: JsonObject }
  | { readonly id: RequestId; readonly method: string; readonly params: JsonObject };

export interface LegacySessionPorts {
  readonly core: GatewayCore;
  readonly endpoint: Endpoint;
  readonly principal: string;
  /** `about` is the client's request in the course of which it is sent. */
  readonly send: (message: Outgoing, about: RequestId | undefined) => void;
}

const SET_LEVEL_MS = 10_000;
/** A question that a client has not answered for so long is given up: the deadline of a call waits for people. */
const ASKED_MS = 10 * 60_000;
/** Questions that wait for an answer at a time. */
const MOST_ASKED = 100;
/** Changes within this time are announced once. */
const ANNOUNCED_AFTER_MS = 20;

/** Servers' notifications that the host's own connections also bring: they are announced from there. */
const ANNOUNCED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
]);

export class LegacySession implements AsyncDisposable {
  readonly #ports: LegacySessionPorts;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #asked = new Map<RequestId, (reply: RpcReply) => void>();
  readonly #changed = new Set<ChangedList>();
  readonly #subscriptions: SessionSubscriptions;
  #upstream: Upstream | undefined;
  #client: Client | undefined;
  #changes: Disposable | undefined;
  #askCount = 0;
  #closing: Promise<void> | undefined;
  /** In the client's revision. */
  #version = '';

  constructor(ports: LegacySessionPorts) {
    this.#ports = ports;
    const { endpoint, send } = ports;
    this.#subscriptions = new SessionSubscriptions(endpoint, (uri) =>
      send({ method: 'notifications/resources/updated', params: { uri } }, undefined),
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

  async request(request: RpcRequest): Promise<RpcReply> {
    const { id, method } = request;
    if (this.#running.has(id)) return failed(INVALID_REQUEST, 'A request with this id is running');
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      if (method === 'initialize') return await this.#initialize(request, running.signal);
      if (method === 'ping') return { result: {} };
      const client = this.#client;
      const upstream = this.#upstream;
      if (client === undefined || upstream === undefined) {
        return failed(INVALID_REQUEST, 'The session begins with "initialize"');
      }
      if (method === 'logging/setLevel') return await this.#setLevel(request, upstream);
      const exchange = this.#exchange(client, request, running.signal);
      const passed = (): Promise<RpcReply> =>
        this.#ports.endpoint.handle(request, exchange, (_, __, use) => use(upstream));
      return method === 'resources/subscribe' || method === 'resources/unsubscribe'
        ? await this.#subscriptions.handle(request, exchange, { upstream, passed })
        : await passed();
    } finally {
      this.#running.delete(id);
    }
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
    for (const server of relay?.connected ?? []) {
      if (!isRoots || relay?.ready(server)?.era === 'legacy') relay?.notify(server, method, params);
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
    this.#subscriptions[Symbol.dispose]();
    for (const running of this.#running.values()) running.abort();
    for (const [id, settle] of this.#asked) {
      this.#asked.delete(id);
      settle({ error: { code: -32_603, message: 'The client is gone' } });
    }
    await this.#upstream?.[Symbol.asyncDispose]();
  }

  async #initialize(request: RpcRequest, signal: AbortSignal): Promise<RpcReply> {
    const { params } = request;
    const { core, endpoint, principal } = this.#ports;
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
    const client: Client = {
      era: 'legacy',
      principal,
      owner: randomUUID(),
      clientInfo: clientInfo,
      capabilities: capabilities,
    };
    const upstream = new Upstream(core.options.host, client, {
      notification: (server, method, about) => this.#heard(server, method, about),
      ask: (method, about, abort) => this.#ask(method, about, { signal: abort, about: undefined }),
      ended: (server) => void this.#subscriptions.renew(server, upstream),
    });
    // At once: a session that ends meanwhile has to end what it began to open.
    this.#upstream = upstream;
    const exchange = this.#exchange(client, request, signal);
    const hello = await endpoint.hello(exchange, (_, __, use) => use(upstream));
    if ('error' in hello) {
      this.#upstream = undefined;
      await upstream[Symbol.asyncDispose]();
      return hello;
    }
    this.#client = client;
    this.#version = agreedVersion(protocolVersion);
    this.#changes = core.onChange((change) => this.#changedList(change));
    return { result: { protocolVersion: this.#version, ...hello.result } };
  }

  async #setLevel({ params }: RpcRequest, upstream: Upstream): Promise<RpcReply> {
    const { level } = params;
    if (typeof level !== 'string' || !LEVELS.has(level)) {
      return failed(INVALID_PARAMS, `"level" has to be one of ${[...LEVELS].join(', ')}`);
    }
    using limit = deadline(SET_LEVEL_MS, this.#ports.core.options.clock, never);
    await upstream.setLogLevel(level, limit.signal);
    return { result: {} };
  }

  #exchange(client: Client, request: RpcRequest, signal: AbortSignal): Exchange {
    const { send } = this.#ports;
    const { id } = request;
    return {
      id: randomUUID(),
      client,
      signal,
      progressToken: metaOf(request.params)['progressToken'],
      notify: (method, params) => send({ method, params }, id),
      ask: (method, params, abort) => this.#ask(method, params, { signal: abort, about: id }),
    };
  }

  #ask(
    method: string,
    params: JsonObject,
    { signal, about }: { readonly signal: AbortSignal; readonly about: RequestId | undefined },
  ): Promise<RelayReply> {
    const { send, core } = this.#ports;
    const id = `plugboard-${(this.#askCount += 1)}`;
    if (this.#asked.size >= MOST_ASKED) {
      const message = 'Too many questions wait for an answer';
      return Promise.resolve({ error: { code: -32_603, message } });
    }
    return new Promise((resolve) => {
      const gone = (): void => {
        if (!this.#asked.delete(id)) return;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', gone);
        send({ method: 'notifications/cancelled', params: { requestId: id } }, about);
        resolve({ error: { code: -32_603, message: 'The request was given up' } });
      };
      const limit = core.options.clock.after(ASKED_MS, gone);
      signal.addEventListener('abort', gone, { once: true });
      this.#asked.set(id, (reply) => {
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', gone);
        resolve(reply);
      });
      send({ id, method, params }, about);
    });
  }

  #heard(_server: string, method: string, params: JsonObject): void {
    if (ANNOUNCED.has(method)) return;
    this.#ports.send({ method, params }, undefined);
  }

  /** Once for many changes at a time. */
  #changedList({ list, server }: Change): void {
    const { core, endpoint, send } = this.#ports;
    if (!endpoint.concerns(server) || this.#changed.has(list)) return;
    this.#changed.add(list);
    core.options.clock.after(ANNOUNCED_AFTER_MS, () => {
      this.#changed.delete(list);
      if (this.isOpen)
        send({ method: `notifications/${list}/list_changed`, params: {} }, undefined);
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

function agreedVersion(wanted: string): string {
  const known: readonly string[] = LEGACY_REVISIONS;
  return known.includes(wanted) ? wanted : LEGACY_REVISIONS[0];
}
