// Passes requests of clients to servers, and their replies back: removes what the gateway put into the request for the
// client, and converts the result to the client's era.

import { err, isObject, type JsonObject, ok } from '@plugboard/base';
import type { CallOutcome } from '@plugboard/host';
import type { RelayResult } from '@plugboard/host/relay';
import { type Client, type Exchange, lackOf, type Seal, type TroubleLog } from '../client/index.ts';
import {
  failed,
  INVALID_PARAMS,
  type RpcFailure,
  type RpcReply,
  textOr,
} from '../message/index.ts';
import type { ClientApprovals } from './approvals.ts';
import type { ClientTasks } from './client-tasks.ts';
import { requiresInput, resultFor } from './era-result.ts';
import type { FittedResults } from './fitted-results.ts';
import { inputRequestsIn, missingCapability, type UpstreamRequest } from './input-rounds.ts';
import type { Lists } from './lists.ts';
import { outcomeReply, stoppedReply } from './outcome-reply.ts';
import type { RequestTarget } from './request-target.ts';
import type { Scope } from './scope.ts';
import type { Upstream, UpstreamOf } from './upstream.ts';

export interface ForwarderParts {
  readonly approvals: ClientApprovals;
  readonly tasks: ClientTasks;
  readonly seal: Seal;
  /** Aborts when the gateway ends. */
  readonly ending: AbortSignal;
  readonly trouble: TroubleLog;
}

/** What an endpoint decides about passing requests on. */
export interface ForwarderScope {
  readonly scope: Scope;
  readonly lists: Lists;
  /** Set if results are to be fitted. */
  readonly fitted: FittedResults | undefined;
}

/** A request of a client on its way to a server. */
export interface Forwarded {
  readonly request: { readonly method: string; readonly params: JsonObject };
  readonly exchange: Exchange;
  readonly upstreamOf: UpstreamOf;
}

/** A call of a tool of a server. */
export interface ServerCall {
  readonly server: string;
  /** The server's own name for it. */
  readonly name: string;
  readonly arguments: JsonObject;
}

export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #at: ForwarderScope;

  constructor(parts: ForwarderParts, at: ForwarderScope) {
    this.#parts = parts;
    this.#at = at;
  }

  async forwardTo(target: RequestTarget, forwarded: Forwarded): Promise<RpcReply> {
    if ('error' in target) return target;
    const { server } = target;
    const { request, exchange, upstreamOf } = forwarded;
    const passed = this.#paramsForServer(server, target.params, forwarded);
    if ('error' in passed) return passed;
    const sent = { server, method: request.method, params: passed.params };
    const answered = await this.#send(sent, exchange, upstreamOf);
    return this.#replyTo(answered, server, forwarded);
  }

  /** Forwards a call that a fixed tool of the endpoint leads to. */
  async forwardCall(
    { server, name, arguments: given }: ServerCall,
    forwarded: Forwarded,
  ): Promise<{ readonly reply: RpcReply; readonly outcome: CallOutcome }> {
    const { request, exchange, upstreamOf } = forwarded;
    const called = { server, tool: name };
    const meant = { ...request.params, name, arguments: given };
    const passed = this.#paramsForServer(server, meant, forwarded);
    if ('error' in passed) return { reply: passed, outcome: { ...called, kind: 'cancelled' } };
    const { params } = passed;
    const sent = { server, method: request.method, params, arguments: 'checked' } as const;
    const answered = await this.#send(sent, exchange, upstreamOf);
    const reply = this.#replyTo(answered, server, forwarded);
    // The reply has the content of the result.
    const outcome = answered.ok
      ? ({ ...called, kind: 'result', parts: [] } as const)
      : answered.error;
    return { reply, outcome };
  }

  async callInScript(
    { server, name, arguments: given }: ServerCall,
    exchange: Exchange,
    upstreamOf: UpstreamOf,
  ): Promise<CallOutcome> {
    const params = { name, arguments: given };
    const sent = { server, method: 'tools/call', params, arguments: 'checked' } as const;
    const called = { server, tool: name };
    const { approvals } = this.#parts;
    approvals.begin(exchange);
    try {
      const outcome = await upstreamOf(server, exchange, async (upstream) => {
        const answered = await upstream.send(sent, exchange);
        return answered.ok
          ? upstream.relay.outcome(called, answered.value, 'whole')
          : answered.error;
      });
      return outcome ?? { ...called, kind: 'cancelled' };
    } finally {
      approvals.end(exchange);
    }
  }

  async #send(
    request: UpstreamRequest,
    exchange: Exchange,
    upstreamOf: UpstreamOf,
  ): Promise<RelayResult> {
    const { server, method, params } = request;
    const { approvals } = this.#parts;
    const fitted = method === 'tools/call' ? this.#at.fitted : undefined;
    approvals.begin(exchange);
    try {
      const sent = await upstreamOf(server, exchange, (upstream) =>
        fitted === undefined
          ? upstream.send(request, exchange)
          : sendFitted(request, exchange, { upstream, fitted }),
      );
      return sent ?? err({ server, tool: textOr(params['name'], method), kind: 'cancelled' });
    } finally {
      approvals.end(exchange);
    }
  }

  #replyTo(answered: RelayResult, server: string, { request, exchange }: Forwarded): RpcReply {
    const { method, params } = request;
    const { client } = exchange;
    if (!answered.ok) {
      const { ending, trouble } = this.#parts;
      const { aborted: isEnding } = ending;
      if (!isEnding && answered.error.kind === 'not-connected') {
        trouble.failed(server, answered.error.reason);
      }
      const reply = (isEnding ? stoppedReply : outcomeReply)(answered.error, method);
      return 'result' in reply ? { result: resultFor(client.era, method, reply.result) } : reply;
    }
    const result = answered.value;
    this.#parts.trouble.recovered(server);
    if (method === 'tools/call') this.#parts.tasks.note(result, server, client);
    if (this.#at.scope.kind !== 'server') this.#at.lists.noteLinks(result, server);
    if (!requiresInput(result)) return { result: resultFor(client.era, method, result) };
    const { requestState, ...rest } = result;
    const refusal = undeclaredCapability(result, client);
    if (refusal !== undefined) return refusal;
    const subject = { principal: client.principal, method, params };
    const state = this.#parts.seal.close({ server, state: requestState ?? null }, subject);
    return { result: { ...rest, requestState: state } };
  }

  /** The parameters for the server, without what the gateway put into them for the client. */
  #paramsForServer(
    server: string,
    meant: JsonObject,
    { request: { method, params }, exchange: { client } }: Forwarded,
  ): { readonly params: JsonObject } | RpcFailure {
    if (!('requestState' in meant || 'inputResponses' in meant)) return { params: meant };
    const { requestState, inputResponses, ...rest } = meant;
    if (client.era === 'legacy') return { params: rest };
    // Without a state there is nothing to unseal.
    if (requestState === undefined) return { params: meant };
    const { principal } = client;
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
}

async function sendFitted(
  request: UpstreamRequest,
  exchange: Exchange,
  { upstream, fitted }: { readonly upstream: Upstream; readonly fitted: FittedResults },
): Promise<RelayResult> {
  const { server, method, params } = request;
  const answered = await upstream.send(request, exchange);
  if (!answered.ok || !hasContent(answered.value)) return answered;
  const called = { server, tool: textOr(params['name'], method) };
  const outcome = await upstream.relay.outcome(called, answered.value, 'fitted');
  return ok(fitted.replaceContent(answered.value, outcome, exchange.client));
}

/** Refuses a server's question that needs a capability which the client has not declared. */
function undeclaredCapability(result: JsonObject, client: Client): RpcFailure | undefined {
  for (const { method, params } of inputRequestsIn(result)) {
    const lack = lackOf(client, method, params);
    if (lack !== undefined) return missingCapability(method, lack);
  }
  return undefined;
}

/** Tasks and questions have no content to fit. */
function hasContent({ content, structuredContent, resultType }: JsonObject): boolean {
  if (resultType === 'input_required') return false;
  return content !== undefined || structuredContent !== undefined;
}
