// Turns an answer that could not be read into an error answer to the same request, so that this request fails
// at once, with the right reason, and no other does. The failure is carried under a symbol, which no server can
// send.

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

/** The answer to a malformed request, so that the server does not wait for one. */
export function refusedRequest(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_600, message: 'Invalid Request' } };
}
