// The requests that a server can make to the host: who answers each of them, and a table with the method, the capability
// that the host declares for it, the schema that checks it, and the answer if no host can give one. Both eras and shared
// servers use this table. elicitation.ts, sampling.ts and roots.ts read the requests and write the answers.

import type { Answer, Question, QuestionSignals } from './elicitation.ts';
import type { RootsPort } from './roots.ts';
import type { SamplingAnswer, SamplingRequest } from './sampling.ts';

/** The program that embeds the host answers. The host declares only the capabilities that have an answerer. */
interface Answerers {
  readonly elicit: (question: Question, signals: QuestionSignals) => Promise<Answer>;
  /** Has a model answer on behalf of the server. Never throws. */
  readonly sample: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  readonly roots: RootsPort;
}

export type InboundPort = { readonly [Key in keyof Answerers]?: Answerers[Key] | undefined };

/** The same with all members stated, so that none is forgotten; `undefined` if a request is not supported. */
export type CompleteInboundPort = Required<InboundPort>;

/** Whether a server may make each request. */
export type InboundGrants = Readonly<Record<keyof InboundPort, boolean>>;

export interface InboundRequest {
  readonly method: string;
  /** The capability that a client which can answer it declares, under its name. */
  readonly capability: Readonly<Record<string, object>>;
  /** The SDK's schema that checks it; none for a request without parameters. */
  readonly schema?: 'ElicitRequest' | 'CreateMessageRequest';
  /** The answer if it is not clear which host the request is for, or that host cannot answer. */
  readonly unanswered: InboundReply;
}

type Fields = Readonly<Record<string, unknown>>;

export type InboundReply = { readonly result: Fields } | { readonly error: Fields };

export const UNKNOWN_METHOD = { code: -32_601, message: 'Method not found' };

/** Keyed by the part of the port that answers the request. */
export const INBOUND_REQUESTS = {
  elicit: {
    method: 'elicitation/create',
    capability: { elicitation: { form: {}, url: {} } },
    schema: 'ElicitRequest',
    unanswered: { result: { action: 'cancel' } },
  },
  sample: {
    method: 'sampling/createMessage',
    // With tools, but without the context of other servers.
    capability: { sampling: { tools: {} } },
    schema: 'CreateMessageRequest',
    // https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling
    unanswered: { error: { code: -1, message: 'No host that shares this server can answer' } },
  },
  roots: {
    method: 'roots/list',
    capability: { roots: { listChanged: true } },
    unanswered: { error: UNKNOWN_METHOD },
  },
} as const satisfies Readonly<Record<keyof InboundPort, InboundRequest>>;

const ROWS = Object.entries(INBOUND_REQUESTS) as readonly (readonly [
  keyof InboundPort,
  InboundRequest,
])[];

/** Returns `undefined` for other methods. */
export function inboundRequest(method: string): InboundRequest | undefined {
  return ROWS.find(([, row]) => row.method === method)?.[1];
}

/** The capabilities of a host with these answerers. */
export function capabilitiesOf(
  answers: Readonly<Partial<Record<keyof InboundPort, unknown>>>,
): Record<string, object> {
  return capabilitiesIn(ROWS.filter(([key]) => answers[key] !== undefined));
}

/** The capabilities of a host for a server with these grants. */
export function grantedCapabilities(grants: InboundGrants): Record<string, object> {
  return capabilitiesIn(ROWS.filter(([key]) => grants[key]));
}

function capabilitiesIn(rows: typeof ROWS): Record<string, object> {
  return Object.fromEntries(rows.flatMap(([, { capability }]) => Object.entries(capability)));
}

/** The capability that a client needs for this request; `undefined` for other methods. */
export function neededCapability(method: string): string | undefined {
  const request = inboundRequest(method);
  return request === undefined ? undefined : Object.keys(request.capability)[0];
}

/** Whether a client with these capabilities can answer any request. */
export function isAskable(declared: Fields): boolean {
  return ROWS.some(([, request]) => canAnswer(request, declared));
}

/** Whether a host with these capabilities can answer the request. */
export function canAnswer({ capability }: InboundRequest, declared: Fields): boolean {
  return Object.keys(capability).every((name) => declared[name] !== undefined);
}
