// The way of one client to the servers: each server's questions go to the client whose request it is working on.

import { isObject, type JsonObject } from '@plugboard/base';
import type { CallOutcome, Host } from '@plugboard/host';
import type {
  Era,
  HostRelay,
  RelayedRequest,
  RelayOptions,
  RelayReply,
  RelayResult,
} from '@plugboard/host/relay';
import { canBeAsked, type Client, type Exchange } from '../client/index.ts';
import { LOG_LEVEL, metaOf, textOr, withoutReserved } from '../message/index.ts';
import { asksForInput } from './era-result.ts';

/** How often one request may ask a legacy client for input. */
const MOST_ROUNDS = 20;
const METHOD_NOT_FOUND: RelayReply = { error: { code: -32_601, message: 'Method not found' } };

/** Hears what belongs to no request. */
export interface UpstreamListener {
  notification(server: string, method: string, params: JsonObject): void;
  /** Asks the client where none of its requests is being worked on. */
  readonly ask?: (method: string, params: JsonObject, signal: AbortSignal) => Promise<RelayReply>;
}

export interface UpstreamRequest {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Of a call of a tool. */
  readonly arguments?: RelayOptions['arguments'];
}

export class Upstream implements AsyncDisposable {
  readonly relay: HostRelay;
  readonly #client: Client;
  readonly #listener: UpstreamListener;
  readonly #exchanges = new Map<string, Set<Exchange>>();
  /** Of a legacy client, for servers that it has yet to be connected to. */
  #logLevel: string | undefined;
  readonly #levels = new WeakMap<object, string>();

  constructor(host: Host, client: Client, listener: UpstreamListener) {
    this.#client = client;
    this.#listener = listener;
    this.relay = host.relay({
      clientInfo: client.clientInfo,
      capabilities: client.capabilities,
      request: (server, request, signal) => this.#asked(server, request, signal),
      notification: (server, method, params) => this.#heard(server, method, params),
    });
  }

  /** How many requests are being worked on. */
  get running(): number {
    let running = 0;
    for (const exchanges of this.#exchanges.values()) running += exchanges.size;
    return running;
  }

  eraOf(server: string): Era | undefined {
    return this.relay.ready(server)?.era;
  }

  /**
   * A call of a tool, or any other request. An answer that asks for input is a modern client's to carry on; of a legacy
   * client and of a script it is asked for here.
   */
  async send(request: UpstreamRequest, exchange: Exchange): Promise<RelayResult> {
    const { server } = request;
    const running = this.#exchanges.get(server) ?? new Set();
    this.#exchanges.set(server, running.add(exchange));
    try {
      const first = await this.#once(request, exchange);
      const isAsked = exchange.client.era === 'legacy' || exchange.inScript !== undefined;
      return isAsked && first.ok && asksForInput(first.value)
        ? await this.#withInput(request, exchange, first.value)
        : first;
    } finally {
      running.delete(exchange);
    }
  }

  /** Of a legacy client. Servers that it is not connected to hear of it when it is. */
  setLogLevel(level: string): void {
    this.#logLevel = level;
  }

  async #once(request: UpstreamRequest, exchange: Exchange): Promise<RelayResult> {
    const { server, method, params } = request;
    const { signal, client, inScript } = exchange;
    const { progressToken, [LOG_LEVEL]: asked } = metaOf(params);
    const level = typeof asked === 'string' ? asked : this.#logLevel;
    if (level !== undefined) await this.#level(server, level, exchange);
    const stripped = withoutReserved(params);
    const isModern = this.eraOf(server) === 'modern';
    const meant =
      level !== undefined && isModern
        ? { ...stripped, _meta: { ...metaOf(stripped), [LOG_LEVEL]: level } }
        : stripped;
    const options = {
      signal,
      capabilities: client.capabilities,
      from: { ...inScript, callId: exchange.id, asker: askerOf(exchange) },
      arguments: request.arguments ?? 'as-given',
      onNotification: (told: string, about: JsonObject) =>
        exchange.notify(told, progressToken === undefined ? about : { ...about, progressToken }),
    };
    return method === 'tools/call'
      ? this.relay.call({ server, tool: textOr(params['name']) }, meant, options)
      : this.relay.request(server, { method, params: meant }, options);
  }

  /** Legacy servers have a level for the session. */
  async #level(server: string, level: string, exchange: Exchange): Promise<void> {
    const session = this.relay.ready(server);
    if (session === undefined || session.era === 'modern') return;
    if (this.#levels.get(session) === level) return;
    const { capabilities } = session.hello;
    if (!isObject(capabilities) || capabilities['logging'] === undefined) return;
    this.#levels.set(session, level);
    const { signal } = exchange;
    await this.relay.request(server, { method: 'logging/setLevel', params: { level } }, { signal });
  }

  /** A modern server asks a legacy client: by requests, and the answers go with a repetition of the request. */
  async #withInput(
    request: UpstreamRequest,
    exchange: Exchange,
    first: JsonObject,
  ): Promise<RelayResult> {
    let last = first;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const responses = await this.#responses(last, exchange);
      const { requestState } = last;
      const params = {
        ...request.params,
        inputResponses: responses,
        ...(requestState === undefined ? {} : { requestState }),
      };
      const next = await this.#once({ ...request, params }, exchange);
      if (!next.ok || !asksForInput(next.value)) return next;
      last = next.value;
    }
    const failure = {
      kind: 'invalid-result',
      detail: 'it asks for input again and again',
    } as const;
    const outcome: CallOutcome = {
      kind: 'protocol-error',
      server: request.server,
      tool: textOr(request.params['name'], request.method),
      failure,
    };
    return { ok: false, error: outcome };
  }

  async #responses({ inputRequests }: JsonObject, exchange: Exchange): Promise<JsonObject> {
    const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const answered = await Promise.all(
      asked.map(async ([key, each]) => {
        const { method: named, params } = isObject(each) ? each : {};
        const method = textOr(named);
        const about = { method, params: isObject(params) ? params : {} };
        const reply = await askClient(exchange, about, exchange.signal);
        return [key, 'result' in reply ? reply.result : declined(method)] as const;
      }),
    );
    return Object.fromEntries(answered);
  }

  async #asked(server: string, request: RelayedRequest, signal: AbortSignal): Promise<RelayReply> {
    // The request that came last: servers ask in the course of what they were asked last.
    const exchange = [...(this.#exchanges.get(server) ?? [])].at(-1);
    if (exchange !== undefined) return askClient(exchange, request, signal);
    const { ask } = this.#listener;
    const { method, params } = request;
    if (ask === undefined || !canBeAsked(this.#client, method, params)) return METHOD_NOT_FOUND;
    return ask(method, params, signal);
  }

  /** A log belongs to the requests that asked for it; a legacy client has it for its session. */
  #heard(server: string, method: string, params: JsonObject): void {
    const running = [...(this.#exchanges.get(server) ?? [])];
    const [only, ...others] = running;
    if (method === 'notifications/message' && only !== undefined && others.length === 0) {
      only.notify(method, params);
      return;
    }
    this.#listener.notification(server, method, params);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay.close();
  }
}

function askClient(
  exchange: Exchange,
  { method, params }: RelayedRequest,
  signal: AbortSignal,
): Promise<RelayReply> {
  return canBeAsked(exchange.client, method, params)
    ? exchange.ask(method, params, signal)
    : Promise.resolve(METHOD_NOT_FOUND);
}

/** What a modern server hears of a client that cannot or does not answer. */
function declined(method: string): JsonObject {
  return method === 'elicitation/create'
    ? { action: 'cancel' }
    : { error: { code: -32_601, message: 'The client cannot answer this' } };
}

function askerOf({ client: { clientInfo }, inScript }: Exchange): string {
  const { name } = clientInfo;
  const client = typeof name === 'string' ? name.slice(0, 100) : 'a client';
  return inScript?.asker === undefined ? client : `${client}, ${inScript.asker}`;
}
