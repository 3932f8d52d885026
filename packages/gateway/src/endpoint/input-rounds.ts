// Requests that need input of the client, across eras: a modern server's reply that input is required becomes requests to a
// legacy client; a legacy server's error that pages have to be visited becomes questions to a modern client. The request is
// then sent again with the responses.

import { randomUUID } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type { RelayOptions, RelayReply, RelayResult } from '@plugboard/host/relay';
import { deskFor, type Exchange, type Lack, lackOf, QUESTION } from '../client/index.ts';
import {
  failed,
  INTERNAL_ERROR,
  MISSING_CAPABILITY,
  type RpcFailure,
  textOr,
} from '../message/index.ts';
import { askUser } from './ask-user.ts';
import { requiresInput } from './era-result.ts';

/** How often one request may require input. */
const MOST_ROUNDS = 20;
/** Each is a request to the client, so that a result with many would flood it. */
const MOST_AT_ONCE = 100;
const PAGES_REQUIRED = -32_042;

export interface UpstreamRequest {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  /** For a call of a tool. */
  readonly arguments?: RelayOptions['arguments'];
}

export interface Rounds {
  readonly request: UpstreamRequest;
  readonly exchange: Exchange;
  readonly send: (request: UpstreamRequest) => Promise<RelayResult>;
}

type InputRequest = { readonly key: string; readonly method: string; readonly params: JsonObject };

/** The first result that requires no input; returned synchronously if that is `first`. */
export function afterInput(first: RelayResult, rounds: Rounds): RelayResult | Promise<RelayResult> {
  const next = nextAfter(first, rounds);
  return next === undefined ? first : afterRounds(next, rounds);
}

async function afterRounds(first: Promise<RelayResult>, rounds: Rounds): Promise<RelayResult> {
  let next = first;
  for (let round = 1; round < MOST_ROUNDS; round += 1) {
    const last = await next;
    const following = nextAfter(last, rounds);
    if (following === undefined) return last;
    next = following;
  }
  await next;
  const failure = { kind: 'invalid-result', detail: 'it asks for input again and again' } as const;
  return failedRequest(rounds, failure);
}

function nextAfter(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  const isCollected = isCollectedHere(last, rounds.exchange);
  return (isCollected ? withRequests(last, rounds) : undefined) ?? withPages(last, rounds);
}

/** Whether the gateway collects the input; a modern client that can do so collects it itself. */
function isCollectedHere(last: RelayResult, { client, inScript }: Exchange): boolean {
  if (client.era === 'legacy' || inScript !== undefined) return true;
  if (!last.ok || !requiresInput(last.value)) return false;
  return inputRequestsIn(last.value).some(
    ({ method, params }) => deskFor(client, method, params) !== undefined,
  );
}

/** Sends the request again if a modern server requires input. */
function withRequests(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  if (!last.ok || !requiresInput(last.value)) return undefined;
  if (inputRequestsIn(last.value).length <= MOST_AT_ONCE)
    return sendWithResponses(last.value, rounds);
  const detail = `it asks for input more than ${MOST_AT_ONCE} times at once`;
  return Promise.resolve(failedRequest(rounds, { kind: 'invalid-result', detail }));
}

async function sendWithResponses(required: JsonObject, rounds: Rounds): Promise<RelayResult> {
  const { request, send } = rounds;
  const { requestState } = required;
  const inputResponses: Record<string, JsonObject> = {};
  const replies = await Promise.all(
    inputRequestsIn(required).map(async (asked) => ({ asked, reply: await ask(asked, rounds) })),
  );
  for (const { asked, reply } of replies) {
    if ('error' in reply) return failedRequest(rounds, failureOf(reply));
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

export function inputRequestsIn({ inputRequests }: JsonObject): readonly InputRequest[] {
  const entries = isObject(inputRequests) ? Object.entries(inputRequests) : [];
  return entries.map(([key, each]) => {
    const { method, params } = isObject(each) ? each : {};
    return { key, method: textOr(method), params: isObject(params) ? params : {} };
  });
}

/** A modern server cannot receive an error, so an error ends the call. A failed question counts as cancelled instead. */
async function ask({ method, params }: InputRequest, rounds: Rounds): Promise<RelayReply> {
  const { exchange, request } = rounds;
  const lack = lackOf(exchange.client, method, params);
  if (lack !== undefined) return missingCapability(method, lack);
  // The legacy era requires an id, with which a server would report that the page was visited.
  const isPage = method === QUESTION && params['mode'] === 'url';
  const meant =
    isPage && exchange.client.era === 'legacy'
      ? { elicitationId: randomUUID(), ...params }
      : params;
  const asked = { server: request.server, method, params: meant };
  const reply = await askUser(asked, exchange, exchange.signal);
  return 'error' in reply && method === QUESTION ? { result: { action: 'cancel' } } : reply;
}

export function missingCapability(method: string, lack: Lack): RpcFailure {
  return failed(
    MISSING_CAPABILITY,
    `The server asks for ${method.slice(0, 100)}, which this client has not declared`,
    { requiredCapabilities: lack.kind === 'unknown' ? {} : lack.required },
  );
}

/** Sends the request again if a legacy server requires pages to be visited and the client is modern. */
function withPages(last: RelayResult, rounds: Rounds): Promise<RelayResult> | undefined {
  const pages = rounds.exchange.client.era === 'legacy' ? [] : pagesIn(last);
  return pages.length === 0 ? undefined : sendAfterVisits(pages, rounds);
}

async function sendAfterVisits(pages: readonly JsonObject[], rounds: Rounds): Promise<RelayResult> {
  const { request, exchange, send } = rounds;
  for (const page of pages) {
    const lack = lackOf(exchange.client, QUESTION, page);
    if (lack !== undefined) {
      return failedRequest(rounds, failureOf(missingCapability(QUESTION, lack)));
    }
  }
  const replies = await Promise.all(
    pages.map((params) =>
      askUser({ server: request.server, method: QUESTION, params }, exchange, exchange.signal),
    ),
  );
  const isDone = replies.every((reply) => 'result' in reply && reply.result['action'] === 'accept');
  if (isDone) return send(request);
  return failedRequest(rounds, {
    kind: 'rpc',
    code: INTERNAL_ERROR,
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

function failedRequest({ request }: Rounds, failure: Failure): RelayResult {
  const { server, method, params } = request;
  const tool = textOr(params['name'], method);
  return { ok: false, error: { kind: 'protocol-error', server, tool, failure } };
}
