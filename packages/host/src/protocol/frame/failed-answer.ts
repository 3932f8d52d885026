// Turns an unreadable answer into an error answer to the same request, so that only this request fails, at once and
// with the right reason. The failure is stored under a symbol, which no server can send.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ProtocolFailure } from '../neutral/failure.ts';

export type RequestId = number | string;

const FAILURE = Symbol('failure of our own');

interface FailureData {
  readonly [FAILURE]?: ProtocolFailure;
}

export function failedAnswer(id: RequestId, failure: ProtocolFailure): JSONRPCMessage {
  const data: FailureData = { [FAILURE]: failure };
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: failure.kind, data } };
}

/** The failure in the data of such an error. */
export function failureIn(data: unknown): ProtocolFailure | undefined {
  return typeof data === 'object' && data !== null ? (data as FailureData)[FAILURE] : undefined;
}

export const UNREADABLE: ProtocolFailure = {
  kind: 'invalid-result',
  detail: 'the message is not sound, or nests too deep',
};

/** The answer to a malformed request, so that the server does not wait for one. */
export function refusedRequest(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_600, message: 'Invalid Request' } };
}
