// The requests that a server can make to the host, in one table: the method of each, what the host declares so that a
// server may send it, how its parameters are checked, and what a server is answered if no host can answer. Both eras, and
// shared servers, take these from here. Reading a request and writing its answer is left to elicitation.ts, sampling.ts
// and roots.ts.

import type { InboundPort } from './inbound.ts';

export interface InboundRequest {
  readonly method: string;
  /** The capability of a client that can answer it, by its name. */
  readonly capability: Readonly<Record<string, object>>;
  /** The schema of the SDK that checks it; none for a request without parameters. */
  readonly schema?: 'ElicitRequest' | 'CreateMessageRequest';
  /** The term of a shared server that says whether its hosts can be asked this; left out, they always can. */
  readonly sharedIf?: 'sampling' | 'roots';
  /** The answer in place of a host, if it is not clear which host is asked, or that host cannot answer. */
  readonly unanswered: InboundReply;
}

type Fields = Readonly<Record<string, unknown>>;

export type InboundReply = { readonly result: Fields } | { readonly error: Fields };

export const UNKNOWN_METHOD = { code: -32_601, message: 'Method not found' };

/** By the part of the port that answers it. */
export const INBOUND_REQUESTS = {
  elicit: {
    method: 'elicitation/create',
    capability: { elicitation: { form: {}, url: {} } },
    schema: 'ElicitRequest',
    unanswered: { result: { action: 'cancel' } },
  },
  sample: {
    method: 'sampling/createMessage',
    // With tools, and without anything of what else goes on in the conversation.
    capability: { sampling: { tools: {} } },
    schema: 'CreateMessageRequest',
    sharedIf: 'sampling',
    // https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling
    unanswered: { error: { code: -1, message: 'No host that shares this server can answer' } },
  },
  roots: {
    method: 'roots/list',
    capability: { roots: { listChanged: true } },
    sharedIf: 'roots',
    unanswered: { error: UNKNOWN_METHOD },
  },
} as const satisfies Readonly<Record<keyof InboundPort, InboundRequest>>;

const ROWS = Object.entries(INBOUND_REQUESTS) as readonly (readonly [
  keyof InboundPort,
  InboundRequest,
])[];

/** Undefined for a method that is none of them. */
export function inboundRequest(method: string): InboundRequest | undefined {
  return ROWS.find(([, row]) => row.method === method)?.[1];
}

/** What a host declares that has answers to some of them. */
export function capabilitiesOf(
  answers: Readonly<Partial<Record<keyof InboundPort, unknown>>>,
): Record<string, object> {
  return capabilitiesIn(ROWS.filter(([key]) => answers[key] !== undefined));
}

/** What the hosts of a shared server declare together, by its terms. */
export function sharedCapabilities(
  terms: Readonly<Record<NonNullable<InboundRequest['sharedIf']>, unknown>>,
): Record<string, object> {
  const isStated = (value: unknown): boolean => value !== undefined && value !== false;
  return capabilitiesIn(
    ROWS.filter(([, { sharedIf }]) => sharedIf === undefined || isStated(terms[sharedIf])),
  );
}

function capabilitiesIn(rows: typeof ROWS): Record<string, object> {
  return Object.fromEntries(rows.flatMap(([, { capability }]) => Object.entries(capability)));
}

/** The capability that a client needs to be asked this; undefined for a method that is none of them. */
export function neededCapability(method: string): string | undefined {
  const request = inboundRequest(method);
  return request === undefined ? undefined : Object.keys(request.capability)[0];
}

/** Whether a client that declared these capabilities can be asked anything at all. */
export function isAskable(declared: Fields): boolean {
  return ROWS.some(([, request]) => canAnswer(request, declared));
}

/** Whether a host that declared these capabilities can answer it. */
export function canAnswer({ capability }: InboundRequest, declared: Fields): boolean {
  return Object.keys(capability).every((name) => declared[name] !== undefined);
}
