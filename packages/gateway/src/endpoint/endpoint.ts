// One address of the gateway: what it says of itself, and what becomes of each request of a client.

import { isObject, type Json, type JsonObject, ok } from '@plugboard/base';
import type { CallOutcome, Host } from '@plugboard/host';
import type { Era, RelayResult } from '@plugboard/host/relay';
import { type Client, type Exchange, lackOf, type Seal } from '../client/index.ts';
import {
  failed,
  INVALID_PARAMS,
  metaOf,
  type RpcFailure,
  type RpcReply,
  SERVER_INFO,
  textOr,
} from '../message/index.ts';
import type { ClientApprovals } from './approvals.ts';
import type { ClientTasks } from './client-tasks.ts';
import { asksForInput, resultFor } from './era-result.ts';
import { FittedResults } from './fitted-results.ts';
import { inputRequestsIn, missing, type UpstreamRequest } from './input-rounds.ts';
import { Lists, pageOf } from './lists.ts';
import { outcomeReply } from './outcome-reply.ts';
import { type Offering, offeringOf, type Scope, serversIn } from './scope.ts';
import { requestTarget } from './request-target.ts';
import type { ListName, ServerLists } from './server-lists.ts';
import { Surface, type SurfaceCall } from './surface.ts';
import type { Upstream } from './upstream.ts';

export interface EndpointParts {
  readonly host: Host;
  readonly lists: ServerLists;
  readonly seal: Seal;
  readonly approvals: ClientApprovals;
  readonly tasks: ClientTasks;
  readonly version: string;
  /** How all servers together are offered. */
  readonly all: Offering;
}

/** How a client reaches a server for one request. */
export type UpstreamOf = <T>(
  server: string,
  exchange: Exchange,
  use: (upstream: Upstream) => Promise<T>,
) => Promise<T>;

interface Request {
  readonly method: string;
  readonly params: JsonObject;
}

/** A request of a client on its way to a server. */
interface Passing {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly upstreamOf: UpstreamOf;
}

const LISTS: ReadonlyMap<string, readonly [ListName, string]> = new Map([
  ['tools/list', ['tools', 'tools']],
  ['prompts/list', ['prompts', 'prompts']],
  ['resources/list', ['resources', 'resources']],
  ['resources/templates/list', ['templates', 'resourceTemplates']],
]);

/** How many pages of its tasks a server is asked for. */
const MOST_TASK_PAGES = 20;

/** What the gateway can do, for clients of each era, whatever the servers behind it can. */
const CAPABILITIES: Readonly<Record<Era, JsonObject>> = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

export class Endpoint {
  readonly scope: Scope;
  readonly lists: Lists;
  readonly #parts: EndpointParts;
  readonly #fitted: FittedResults | undefined;
  /** In place of all tools. */
  readonly #surface: Surface | undefined;

  constructor(parts: EndpointParts, scope: Scope) {
    this.#parts = parts;
    this.scope = scope;
    this.lists = new Lists({ lists: parts.lists, servers: () => this.servers }, scope);
    const { host, all } = parts;
    const { mode = 'direct', results } = offeringOf(scope, all);
    this.#fitted = results === 'fitted' ? new FittedResults(host.results) : undefined;
    if (mode !== 'direct') {
      this.#surface = new Surface({ host, lists: this.lists, fitted: this.#fitted }, mode);
    }
  }

  get servers(): readonly string[] {
    const { host } = this.#parts;
    const usable = host.servers.filter(({ state }) => state.kind !== 'disabled');
    return serversIn(
      this.scope,
      usable.map(({ name }) => name),
    );
  }

  /** Whether what a server lists is listed here. */
  concerns(server: string): boolean {
    return serversIn(this.scope, [server]).length > 0;
  }

  /** Hears when a resource changed, over the host's own connection; nothing where that cannot be. */
  async watch(
    uri: string,
    onUpdate: () => void,
    signal: AbortSignal,
  ): Promise<Disposable | undefined> {
    const owner = await this.lists.ownerOf(uri, signal);
    if (!owner.ok) return undefined;
    const { resources } = this.#parts.host;
    const watching = await resources.subscribe({ server: owner.value, uri }, onUpdate, { signal });
    return watching.kind === 'subscribed' ? watching : undefined;
  }

  /** What the gateway says of itself, or the server that stands behind this address. */
  async hello(exchange: Exchange, upstreamOf: UpstreamOf): Promise<RpcReply> {
    const { era } = exchange.client;
    if (this.scope.kind !== 'server') return { result: this.#ownHello(era) };
    const { server } = this.scope;
    return upstreamOf(server, exchange, async ({ relay }) => {
      const said = await relay.hello(server);
      if (!said.ok) return outcomeReply(said.error, 'initialize');
      const { serverInfo, capabilities, instructions } = said.value;
      const info = serverInfo ?? metaOf(said.value)[SERVER_INFO];
      return {
        result: {
          capabilities: isObject(capabilities) ? capabilities : {},
          serverInfo: isObject(info) ? info : this.#identity(),
          ...(typeof instructions === 'string' ? { instructions } : {}),
        },
      };
    });
  }

  #identity(): JsonObject {
    return { name: 'plugboard', title: 'Plugboard', version: this.#parts.version };
  }

  #ownHello(era: Era): JsonObject {
    return {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        ...CAPABILITIES[era],
      },
      serverInfo: this.#identity(),
    };
  }

  /** Never throws. */
  async handle(request: Request, exchange: Exchange, upstreamOf: UpstreamOf): Promise<RpcReply> {
    const { method, params } = request;
    const list = LISTS.get(method);
    if (list !== undefined) return this.#list(list, request, exchange);
    if (method === 'tasks/list' && exchange.client.era === 'legacy') {
      return this.#taskList(exchange, upstreamOf);
    }
    if (method === 'tools/call' && this.#surface?.has(params['name']) === true) {
      return this.#surface.call(params, exchange, {
        pass: (call) => this.#passSurfaceCall(call, { request, exchange, upstreamOf }),
        inScript: (call, inner) => this.#callInScript(call, inner, upstreamOf),
      });
    }
    if (method === 'tools/call' && this.#fitted?.has(params['name']) === true) {
      return this.#fitted.read(params, exchange);
    }
    const target = await requestTarget(
      { scope: this.scope, lists: this.lists, tasks: this.#parts.tasks },
      request,
      exchange,
    );
    if ('error' in target) return target;
    const { server } = target;
    const passed = this.#passedOn(request, target.params, { server, exchange });
    if ('error' in passed) return passed;
    const sent = { server, method, params: passed.params };
    const answered = await this.#send(sent, exchange, upstreamOf);
    return this.#answered(answered, { request, server, exchange });
  }

  #send(
    request: UpstreamRequest,
    exchange: Exchange,
    upstreamOf: UpstreamOf,
  ): Promise<RelayResult> {
    const { server, method, params } = request;
    const fitted = method === 'tools/call' ? this.#fitted : undefined;
    return this.#parts.approvals.during(exchange, () =>
      upstreamOf(server, exchange, async (upstream) => {
        const answered = await upstream.send(request, exchange);
        if (fitted === undefined || !answered.ok || !hasContent(answered.value)) return answered;
        const called = { server, tool: textOr(params['name']) };
        const outcome = await upstream.relay.outcome(called, answered.value, 'fitted');
        return ok(fitted.inPlaceOf(answered.value, outcome, exchange.client));
      }),
    );
  }

  async #passSurfaceCall(
    { server, name, arguments: given }: SurfaceCall,
    { request, exchange, upstreamOf }: Passing,
  ): Promise<{ readonly reply: RpcReply; readonly outcome: CallOutcome }> {
    const called = { server, tool: name };
    const meant = { ...request.params, name, arguments: given };
    const passed = this.#passedOn(request, meant, { server, exchange });
    if ('error' in passed) return { reply: passed, outcome: { ...called, kind: 'cancelled' } };
    const { params } = passed;
    const sent = { server, method: request.method, params, arguments: 'checked' } as const;
    const answered = await this.#send(sent, exchange, upstreamOf);
    const reply = this.#answered(answered, { request, server, exchange });
    // The client gets the result itself.
    const outcome = answered.ok
      ? ({ ...called, kind: 'result', parts: [] } as const)
      : answered.error;
    return { reply, outcome };
  }

  #callInScript(
    { server, name, arguments: given }: SurfaceCall,
    exchange: Exchange,
    upstreamOf: UpstreamOf,
  ): Promise<CallOutcome> {
    const params = { name, arguments: given };
    const sent = { server, method: 'tools/call', params, arguments: 'checked' } as const;
    return this.#parts.approvals.during(exchange, () =>
      upstreamOf(server, exchange, async (upstream) => {
        const answered = await upstream.send(sent, exchange);
        return answered.ok
          ? upstream.relay.outcome({ server, tool: name }, answered.value, 'whole')
          : answered.error;
      }),
    );
  }

  async #list(
    [list, key]: readonly [ListName, string],
    { method, params }: Request,
    { signal, client }: Exchange,
  ): Promise<RpcReply> {
    const all =
      list === 'tools' ? await this.#tools(client, signal) : await this.lists.all(list, signal);
    const page = pageOf(all, params['cursor']);
    if (!page.ok) return failed(INVALID_PARAMS, page.error);
    const { items, ...next } = page.value;
    return { result: resultFor(client.era, method, { [key]: items, ...next }) };
  }

  async #tools(client: Client, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const tools = await (this.#surface?.list(client, signal) ?? this.lists.all('tools', signal));
    return this.#fitted?.list(tools) ?? tools;
  }

  #answered(
    answered: RelayResult,
    { request, server, exchange }: { request: Request; server: string; exchange: Exchange },
  ): RpcReply {
    const { method, params } = request;
    const { client } = exchange;
    if (!answered.ok) {
      const reply = outcomeReply(answered.error, method);
      return 'result' in reply ? { result: resultFor(client.era, method, reply.result) } : reply;
    }
    const result = answered.value;
    if (method === 'tools/call') this.#parts.tasks.note(result, server, client);
    if (this.scope.kind !== 'server') this.lists.noteLinks(result, server);
    if (!asksForInput(result)) return { result: resultFor(client.era, method, result) };
    const { requestState, ...rest } = result;
    const refusal = undeclared(result, client);
    if (refusal !== undefined) return refusal;
    const subject = { principal: client.principal, method, params };
    const state = this.#parts.seal.close({ server, state: requestState ?? null }, subject);
    return { result: { ...rest, requestState: state } };
  }

  /** The parameters for the server: what the gateway put into them for the client is taken out again. */
  #passedOn(
    { method, params }: Request,
    meant: JsonObject,
    { server, exchange }: { readonly server: string; readonly exchange: Exchange },
  ): { readonly params: JsonObject } | RpcFailure {
    if (!('requestState' in meant || 'inputResponses' in meant)) return { params: meant };
    const { requestState, inputResponses, ...rest } = meant;
    if (exchange.client.era === 'legacy') return { params: rest };
    // A server without a state may be answered at once.
    if (requestState === undefined) return { params: meant };
    const { principal } = exchange.client;
    const opened = this.#parts.seal.open(requestState, { principal, method, params });
    if (!isObject(opened) || opened['server'] !== server) {
      return failed(INVALID_PARAMS, '"requestState" is not of this request, or too old');
    }
    const { state } = opened;
    return {
      params: {
        ...rest,
        ...(inputResponses === undefined ? {} : { inputResponses }),
        ...(state === null || state === undefined ? {} : { requestState: state }),
      },
    };
  }

  /** The client's own tasks: a server may have those of others as well. */
  async #taskList(exchange: Exchange, upstreamOf: UpstreamOf): Promise<RpcReply> {
    const { client } = exchange;
    const servers = this.#parts.tasks.serversOf(client).filter((server) => this.concerns(server));
    const lists = servers.map((server) =>
      upstreamOf(server, exchange, async (upstream) => {
        const found: Json[] = [];
        let params: JsonObject = {};
        for (let page = 0; page < MOST_TASK_PAGES; page += 1) {
          const answered = await upstream.send({ server, method: 'tasks/list', params }, exchange);
          if (!answered.ok) break;
          const { tasks, nextCursor } = answered.value;
          found.push(...(Array.isArray(tasks) ? (tasks as readonly Json[]) : []));
          if (typeof nextCursor !== 'string') break;
          params = { cursor: nextCursor };
        }
        return found.filter(
          (task) => isObject(task) && this.#parts.tasks.serverOf(task['taskId'], client) === server,
        );
      }),
    );
    return { result: { tasks: (await Promise.all(lists)).flat() } };
  }
}

/** A server that asks for what the client has not declared gets nothing of it. */
function undeclared(result: JsonObject, client: Client): RpcFailure | undefined {
  for (const { method, params } of inputRequestsIn(result)) {
    const lack = lackOf(client, method, params);
    if (lack === undefined) continue;
    return missing(method, lack.kind === 'unknown' ? {} : lack.required);
  }
  return undefined;
}

/** What is none has no content to fit: a task, or a question. */
function hasContent({ content, structuredContent, resultType }: JsonObject): boolean {
  if (resultType === 'input_required') return false;
  return content !== undefined || structuredContent !== undefined;
}
