// Decides what a JSON value is that a server sent as a message: one that can be passed on as it is typed,
// a request or an answer that is not sound but tells whose it is, or nothing of ours. Pure. Members that
// are there but null count as left out, as some servers write those they do not use.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import type { RequestId } from './failed-answer.ts';

export type Sorted =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** Whoever sent it may wait for an answer. */
  | { readonly kind: 'unsound-request'; readonly id: RequestId }
  /** Somebody here may wait for it. */
  | { readonly kind: 'unsound-answer'; readonly id: RequestId; readonly detail: string }
  | { readonly kind: 'stray' };

export function sortMessage(value: unknown): Sorted {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return STRAY;
  return value['method'] === undefined ? sortAnswer(value) : sortRequest(value);
}

type Fields = Readonly<Record<string, unknown>>;

const STRAY: Sorted = { kind: 'stray' };

function sortRequest(value: Fields): Sorted {
  const { id, method } = value;
  const params = value['params'] ?? undefined;
  const isSound = typeof method === 'string' && (params === undefined || isObject(params));
  if (!isSound || ('id' in value && !isRequestId(id))) {
    return isRequestId(id) ? { kind: 'unsound-request', id } : STRAY;
  }
  return passedOn(value, { ...(isRequestId(id) ? { id } : {}), method, ...(params && { params }) });
}

function sortAnswer(value: Fields): Sorted {
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

/** As it came, unless it has members that no such message has: the SDK takes none. */
function passedOn(value: Fields, members: Fields): Sorted {
  const isPlain = Object.keys(value).length === Object.keys(members).length + 1;
  const message: unknown = isPlain ? value : { jsonrpc: '2.0', ...members };
  // What was looked at above makes it one.
  return { kind: 'message', message: message as JSONRPCMessage };
}
