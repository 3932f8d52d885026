// One address of the gateway: answers the requests that clients send to it.

import { abortSignalOf, type CancelSignal, type JsonObject } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import type { Client, Exchange } from '../client/index.ts';
import { failed, INVALID_PARAMS, type RpcReply } from '../message/index.ts';
import { resultFor } from './era-result.ts';
import { FittedResults } from './fitted-results.ts';
import { type ForwarderScope, Forwarder, type ForwarderParts } from './forwarder.ts';
import { gatewayGreeting, serverGreeting } from './greeting.ts';
import { Lists, pageOf } from './lists.ts';
import { requestTarget } from './request-target.ts';
import { type Offering, offeringOf, pathOf, type Scope, serversIn } from './scope.ts';
import { type ListName, LISTS, type ServerLists } from './server-lists.ts';
import { Surface } from './surface.ts';
import { listTasks } from './task-list.ts';
import type { UpstreamOf } from './upstream.ts';

export interface EndpointParts extends ForwarderParts {
  readonly host: Host;
  readonly lists: ServerLists;
  readonly version: string;
  /** How the endpoint of all servers offers them. */
  readonly all: Offering;
}

interface Request {
  readonly method: string;
  readonly params: JsonObject;
}

const LIST_OF_METHOD: ReadonlyMap<string, ListName> = new Map(
  (Object.keys(LISTS) as ListName[]).map((list) => [LISTS[list].method, list]),
);

/** Everything that depends on the scope. */
interface Offer extends ForwarderScope {
  /** The fixed tools, if the endpoint offers those in place of all tools. */
  readonly surface: Surface | undefined;
  readonly forwarder: Forwarder;
}

export class Endpoint {
  /** Such as `/mcp/profile/work`. */
  readonly path: string;
  readonly #parts: EndpointParts;
  #offer: Offer;

  constructor(parts: EndpointParts, scope: Scope) {
    this.#parts = parts;
    this.#offer = offerOf(parts, scope);
    this.path = pathOf(scope);
  }

  get scope(): Scope {
    return this.#offer.scope;
  }

  get lists(): Lists {
    return this.#offer.lists;
  }

  /** Replaces the scope. */
  change(scope: Scope): void {
    this.#offer = offerOf(this.#parts, scope);
  }

  /** Whether the server is part of this endpoint. */
  concerns(server: string): boolean {
    return serversIn(this.scope, [server]).length > 0;
  }

  /** Watches a resource over the host's own connection; `undefined` if that is impossible. */
  async watch(
    uri: string,
    onUpdate: () => void,
    signal: CancelSignal,
  ): Promise<Disposable | undefined> {
    const owner = await this.lists.ownerOf(uri, signal);
    if (!owner.ok) return undefined;
    const { resources } = this.#parts.host;
    const watching = await resources.subscribe({ server: owner.value, uri }, onUpdate, {
      signal: abortSignalOf(signal),
    });
    return watching.kind === 'subscribed' ? watching : undefined;
  }

  /** The reply to `initialize` or `server/discover`, of the gateway or of the one server behind this address. */
  async hello(exchange: Exchange, upstreamOf: UpstreamOf): Promise<RpcReply> {
    const { version } = this.#parts;
    const { scope } = this;
    return scope.kind === 'server'
      ? serverGreeting({ server: scope.server, version }, exchange, upstreamOf)
      : { result: gatewayGreeting(exchange.client.era, version) };
  }

  /** Never throws. */
  handle(request: Request, exchange: Exchange, upstreamOf: UpstreamOf): Promise<RpcReply> {
    const { method, params } = request;
    const list = LIST_OF_METHOD.get(method);
    if (list !== undefined) return this.#list(list, request, exchange);
    const { scope, lists, fitted, surface, forwarder } = this.#offer;
    const at = { scope, lists, tasks: this.#parts.tasks };
    if (method === 'tasks/list' && exchange.client.era === 'legacy') {
      return listTasks(at, exchange, upstreamOf);
    }
    const forwarded = { request, exchange, upstreamOf };
    if (method === 'tools/call' && surface?.has(params['name']) === true) {
      return surface.call(forwarded);
    }
    if (method === 'tools/call' && fitted?.has(params['name']) === true) {
      return fitted.read(params, exchange);
    }
    const target = requestTarget(at, request, exchange);
    return target instanceof Promise
      ? target.then((found) => forwarder.forwardTo(found, forwarded))
      : forwarder.forwardTo(target, forwarded);
  }

  async #list(
    list: ListName,
    { method, params }: Request,
    { signal, client }: Exchange,
  ): Promise<RpcReply> {
    const all =
      list === 'tools' ? await this.#tools(client, signal) : await this.lists.all(list, signal);
    const page = pageOf(all, params['cursor']);
    if (!page.ok) return failed(INVALID_PARAMS, page.error);
    const { items, ...next } = page.value;
    return { result: resultFor(client.era, method, { [LISTS[list].key]: items, ...next }) };
  }

  async #tools(client: Client, signal: CancelSignal): Promise<readonly JsonObject[]> {
    const { lists, fitted, surface } = this.#offer;
    const tools = await (surface?.list(client, signal) ?? lists.all('tools', signal));
    return fitted?.list(tools) ?? tools;
  }
}

function offerOf(parts: EndpointParts, scope: Scope): Offer {
  const { host, all } = parts;
  const { mode = 'direct', results } = offeringOf(scope, all);
  const lists = new Lists(host, parts.lists, scope);
  const fitted = results === 'fitted' ? new FittedResults(host.results) : undefined;
  const forwarder = new Forwarder(parts, { scope, lists, fitted });
  const surface =
    mode === 'direct' ? undefined : new Surface({ host, lists, fitted, forwarder }, mode);
  return { scope, lists, fitted, surface, forwarder };
}
