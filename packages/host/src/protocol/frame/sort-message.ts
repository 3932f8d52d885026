// Classifies a JSON value that a server sent: a valid message, a malformed request or answer with a known id, or
// something else. Pure. Members that are null count as absent, because some servers write unused members as null.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import type { RequestId } from './failed-answer.ts';

export type SortedMessage =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** The server may be waiting for an answer. */
  | { readonly kind: 'unsound-request'; readonly id: RequestId }
  /** A caller may be waiting for it. */
  | { readonly kind: 'unsound-answer'; readonly id: RequestId; readonly detail: string }
  | { readonly kind: 'stray' };

export function sortMessage(value: unknown): SortedMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return STRAY;
  return value['method'] === undefined ? sortAnswer(value) : sortRequest(value);
}

type Fields = Readonly<Record<string, unknown>>;

const STRAY: SortedMessage = { kind: 'stray' };

function sortRequest(value: Fields): SortedMessage {
  const { id, method } = value;
  const params = value['params'] ?? undefined;
  const isSound = typeof method === 'string' && (params === undefined || isObject(params));
  if (!isSound || ('id' in value && !isRequestId(id))) {
    return isRequestId(id) ? { kind: 'unsound-request', id } : STRAY;
  }
  return passedOn(value, { ...(isRequestId(id) ? { id } : {}), method, ...(params && { params }) });
}

function sortAnswer(value: Fields): SortedMessage {
  const { id, result } = value;
  const error = value['error'] ?? undefined;
  if (!isRequestId(id)) return STRAY;
  if (error === undefined) {
    if (isObject(result)) return passedOn(value, { id, result });
    return { kind: 'unsound-answer', id, detail: 'the result is not an object' };
  }
  const isSound =
    isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
  if (isSound) return passedOn(value, { id, error });
  return { kind: 'unsound-answer', id, detail: 'the error has no code or no message' };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isInteger(id);
}

/** The message, without members that MCP does not define, since the SDK rejects those. */
function passedOn(value: Fields, members: Fields): SortedMessage {
  const isPlain = Object.keys(value).length === Object.keys(members).length + 1;
  const message: unknown = isPlain ? value : { jsonrpc: '2.0', ...members };
  // The checks above establish the type.
  return { kind: 'message', message: message as JSONRPCMessage };
}
