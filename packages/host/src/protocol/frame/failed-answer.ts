// An answer that we could not or would not read, as an error answer to the same request: so that the
// request fails at once and for the right reason, and nothing else does. The failure travels under a
// symbol, which no server can put on a wire.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ProtocolFailure } from '../neutral/failure.ts';

export type RequestId = number | string;

const FAILURE = Symbol('failure of our own');

interface Mark {
  readonly [FAILURE]?: ProtocolFailure;
}

export function failedAnswer(id: RequestId, failure: ProtocolFailure): JSONRPCMessage {
  const data: Mark = { [FAILURE]: failure };
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: failure.kind, data } };
}

/** The failure that the data of such an error carries. */
export function failureIn(data: unknown): ProtocolFailure | undefined {
  return typeof data === 'object' && data !== null ? (data as Mark)[FAILURE] : undefined;
}

export const UNREADABLE: ProtocolFailure = {
  kind: 'invalid-result',
  detail: 'the message is not sound, or nests too deep',
};

/** What a server hears to a request that nobody can make sense of: it must not wait in vain either. */
export function refusedRequest(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_600, message: 'Invalid Request' } };
}
