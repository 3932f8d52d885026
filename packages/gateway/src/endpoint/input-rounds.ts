// Requests that a server does not answer before its client has done something, across eras: a modern server's answer that
// input is required becomes requests to a legacy client; a legacy server's refusal until pages were visited becomes
// questions to a modern one. Both are sent again with what came of it.

import { randomUUID } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type { RelayOptions, RelayReply, RelayResult } from '@plugboard/host/relay';
import { deskFor, type Exchange, lackOf, QUESTION } from '../client/index.ts';
import { MISSING_CAPABILITY, type RpcFailure, textOr } from '../message/index.ts';
import { askUser } from './ask-user.ts';
import { asksForInput } from './era-result.ts';

/** How often one request may ask for input. */
const MOST_ROUNDS = 20;
/** Each is a request to the client: one result of many would be a flood of them. */
const MOST_AT_ONCE = 100;
const PAGES_REQUIRED = -32_042;

export interface UpstreamRequest {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Of a call of a tool. */
  readonly arguments?: RelayOptions['arguments'];
}

export interface Rounds {
  readonly request: UpstreamRequest;
  readonly exchange: Exchange;
  readonly send: (request: UpstreamRequest) => Promise<RelayResult>;
}

type Asked = { readonly key: string; readonly method: string; readonly params: JsonObject };

/** The first answer that needs nothing more of the client; at once where that is the first of all. */
export function afterInput(first: RelayResult, rounds: Rounds): RelayResult | Promise<RelayResult> {
  const next = nextAfter(first, rounds);
  return next === undefined ? first : afterRounds(next, rounds);
}

async function afterRounds(begun: Promise<RelayResult>, rounds: Rounds): Promise<RelayResult> {
  let next = begun;
  for (let round = 1; round < MOST_ROUNDS; round += 1) {
    const last = await next;
    const following = nextAfter(last, rounds);
    if (following === undefined) return last;
    next = following;
  }
  await next;
  const failure = { kind: 'invalid-result', detail: 'it asks for input again and again' } as const;
  return refusedFor(rounds, failure);
}

function nextAfter(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  const isAsked = isAskedHere(last, rounds.exchange);
  return (isAsked ? withRequests(last, rounds) : undefined) ?? withPages(last, rounds);
}

/** Whether the gateway has what a modern server wants answered: of a modern client that can, the client itself has. */
function isAskedHere(last: RelayResult, { client, inScript }: Exchange): boolean {
  if (client.era === 'legacy' || inScript !== undefined) return true;
  if (!last.ok || !asksForInput(last.value)) return false;
  return inputRequestsIn(last.value).some(
    ({ method, params }) => deskFor(client, method, params) !== undefined,
  );
}

/** Of a client, or a script of it, that a modern server wants input of. */
function withRequests(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  if (!last.ok || !asksForInput(last.value)) return undefined;
  if (inputRequestsIn(last.value).length <= MOST_AT_ONCE) return answered(last.value, rounds);
  const detail = `it asks for input more than ${MOST_AT_ONCE} times at once`;
  return Promise.resolve(refusedFor(rounds, { kind: 'invalid-result', detail }));
}

async function answered(required: JsonObject, rounds: Rounds): Promise<RelayResult> {
  const { request, send } = rounds;
  const { requestState } = required;
  const inputResponses: Record<string, JsonObject> = {};
  const replies = await Promise.all(
    inputRequestsIn(required).map(async (asked) => ({ asked, reply: await ask(asked, rounds) })),
  );
  for (const { asked, reply } of replies) {
    if ('error' in reply) return refusedFor(rounds, failureOf(reply));
    inputResponses[asked.key] = reply.result;
  }
  return send({
    ...request,
    params: {
      ...request.params,
      inputResponses,
      ...(requestState === undefined ? {} : { requestState }),
    },
  });
}

export function inputRequestsIn({ inputRequests }: JsonObject): readonly Asked[] {
  const entries = isObject(inputRequests) ? Object.entries(inputRequests) : [];
  return entries.map(([key, each]) => {
    const { method, params } = isObject(each) ? each : {};
    return { key, method: textOr(method), params: isObject(params) ? params : {} };
  });
}

/** A modern server has no way to hear of an error: the call ends with it. Not so for a question, which can be left. */
async function ask({ method, params }: Asked, rounds: Rounds): Promise<RelayReply> {
  const { exchange, request } = rounds;
  const lack = lackOf(exchange.client, method, params);
  if (lack !== undefined) {
    const required = lack.kind === 'unknown' ? {} : lack.required;
    return missing(method, required);
  }
  // Requests of this era have an id by which a server would say that the page was visited.
  const isPage = method === QUESTION && params['mode'] === 'url';
  const meant =
    isPage && exchange.client.era === 'legacy'
      ? { elicitationId: randomUUID(), ...params }
      : params;
  const asked = { server: request.server, method, params: meant };
  const reply = await askUser(asked, exchange, exchange.signal);
  return 'error' in reply && method === QUESTION ? { result: { action: 'cancel' } } : reply;
}

export function missing(method: string, requiredCapabilities: JsonObject): RpcFailure {
  return {
    error: {
      code: MISSING_CAPABILITY,
      message: `The server asks for ${method.slice(0, 100)}, which this client has not declared`,
      data: { requiredCapabilities },
    },
  };
}

/** Of a modern client whose legacy server refuses until pages were visited. */
function withPages(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  const pages = rounds.exchange.client.era === 'legacy' ? [] : pagesIn(last);
  return pages.length === 0 ? undefined : visited(pages, rounds);
}

async function visited(pages: readonly JsonObject[], rounds: Rounds): Promise<RelayResult> {
  const { request, exchange, send } = rounds;
  for (const page of pages) {
    const lack = lackOf(exchange.client, QUESTION, page);
    if (lack !== undefined && lack.kind !== 'unknown') {
      return refusedFor(rounds, failureOf(missing(QUESTION, lack.required)));
    }
  }
  const replies = await Promise.all(
    pages.map((params) =>
      askUser({ server: request.server, method: QUESTION, params }, exchange, exchange.signal),
    ),
  );
  const isDone = replies.every((reply) => 'result' in reply && reply.result['action'] === 'accept');
  if (isDone) return send(request);
  return refusedFor(rounds, {
    kind: 'rpc',
    code: -32_603,
    message: 'The server needs a page to be visited first, which was declined',
  });
}

function pagesIn(last: RelayResult): readonly JsonObject[] {
  if (last.ok || last.error.kind !== 'protocol-error') return [];
  const { failure } = last.error;
  if (failure.kind !== 'rpc' || failure.code !== PAGES_REQUIRED) return [];
  const { elicitations } = isObject(failure.data) ? failure.data : {};
  if (!Array.isArray(elicitations)) return [];
  return elicitations.filter(isObject).map((page) => ({ mode: 'url', ...page }));
}

type Failure = Extract<
  Extract<RelayResult, { readonly ok: false }>['error'],
  { readonly kind: 'protocol-error' }
>['failure'];

function failureOf({ error: { code, message, data } }: RpcFailure): Failure {
  return { kind: 'rpc', code, message, ...(data === undefined ? {} : { data: data as Json }) };
}

function refusedFor({ request }: Rounds, failure: Failure): RelayResult {
  const { server, method, params } = request;
  const tool = textOr(params['name'], method);
  return { ok: false, error: { kind: 'protocol-error', server, tool, failure } };
}
