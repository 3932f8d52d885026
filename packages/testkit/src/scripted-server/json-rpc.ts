// JSON-RPC messages of the scripted servers, written by hand, so that a server can also send invalid ones.

import type { Json, JsonObject } from '@plugboard/base';

export type RequestId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

export type Incoming =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: JsonObject;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** To a request of the server. */
  | { readonly kind: 'answer'; readonly id: RequestId; readonly answer: JsonObject }
  | { readonly kind: 'unreadable' };

export type IncomingRequest = Extract<Incoming, { readonly kind: 'request' }>;

export type Outgoing =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: JsonObject }
  /** With a result as literal text. */
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly resultText: string }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId | null; readonly error: RpcError }
  | {
      readonly jsonrpc: '2.0';
      readonly id?: RequestId;
      readonly method: string;
      readonly params: JsonObject;
    };

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

export function readMessage(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller answers unreadable messages.
    return UNREADABLE;
  }
  if (!isJsonObject(value)) return UNREADABLE;
  const { id, method, result, error } = value;
  if (typeof method !== 'string') {
    if (typeof id !== 'string' && typeof id !== 'number') return UNREADABLE;
    if (isJsonObject(error)) return { kind: 'answer', id, answer: { error } };
    return isJsonObject(result) ? { kind: 'answer', id, answer: { result } } : UNREADABLE;
  }
  const params = objectOf(value['params']);
  return typeof id === 'string' || typeof id === 'number'
    ? { kind: 'request', id, method, params }
    : { kind: 'notification', method, params };
}

const UNREADABLE = { kind: 'unreadable' } as const;

/** The method of a message, if it has one. */
export function methodOf(message: Incoming): string | undefined {
  return 'method' in message ? message.method : undefined;
}

/** `value` if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
