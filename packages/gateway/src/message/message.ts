// JSON-RPC messages: reads one from a client, within bounds and in exactly one way, and writes one. What the gateway passes
// on is always built from what was read here, so that no later reader can see a different message.

import { isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import { resultText } from '@plugboard/host/relay';
import { hasDuplicateKeys } from './duplicate-keys.ts';

export type RequestId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The reply to a request that failed. */
export interface RpcFailure {
  readonly error: RpcError;
}

export type RpcReply = { readonly result: JsonObject } | RpcFailure;

export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly method: string;
  readonly params: JsonObject;
}

export type RpcMessage =
  | ({ readonly kind: 'request' } & RpcRequest)
  | ({ readonly kind: 'notification' } & RpcNotification)
  | { readonly kind: 'answer'; readonly id: RequestId; readonly reply: RpcReply }
  | { readonly kind: 'unsound'; readonly id: RequestId | null; readonly error: RpcError };

const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const HEADER_MISMATCH = -32_020;
export const MISSING_CAPABILITY = -32_021;
export const UNSUPPORTED_VERSION = -32_022;

/** Of one message. */
export const MESSAGE_LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 100 };
const LONGEST_ID = 200;
const LONGEST_METHOD = 200;

export function readMessage(text: string): RpcMessage {
  const parsed = parseJson(text, MESSAGE_LIMITS);
  if (!parsed.ok) {
    const message = 'The message is not JSON, or it is too long or too deep';
    return { kind: 'unsound', id: null, error: { code: PARSE_ERROR, message } };
  }
  return hasDuplicateKeys(text, parsed.value)
    ? unsound(null, 'An object has the same key twice')
    : readParsed(parsed.value);
}

/** A result that is passed on unchanged is written exactly as its server wrote it. */
export function messageText(message: object): string {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  const text = isObject(result) ? resultText(result) : undefined;
  return text === undefined
    ? JSON.stringify(message)
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}

function readParsed(value: Json): RpcMessage {
  if (!isObject(value)) return unsound(null, 'A message has to be one JSON object');
  const { jsonrpc, id, method, params } = value;
  const known = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return unsound(known, '"jsonrpc" has to be "2.0"');
  if (method === undefined) return readAnswer(value, known);
  if (typeof method !== 'string' || method === '' || method.length > LONGEST_METHOD) {
    return unsound(known, '"method" has to be a text');
  }
  if (params !== undefined && !isObject(params)) {
    return unsound(known, '"params" has to be an object');
  }
  const given = params ?? {};
  if (!('id' in value)) return { kind: 'notification', method, params: given };
  if (known === null) return unsound(null, '"id" has to be a text or an integer');
  return { kind: 'request', id: known, method, params: given };
}

function readAnswer(message: JsonObject, id: RequestId | null): RpcMessage {
  const { result, error } = message;
  if (id === null) return unsound(null, 'The message is neither a request nor an answer');
  if (isObject(result) && error === undefined) {
    return { kind: 'answer', id, reply: { result: result } };
  }
  if (
    result === undefined &&
    isObject(error) &&
    typeof error['code'] === 'number' &&
    typeof error['message'] === 'string'
  ) {
    return { kind: 'answer', id, reply: { error: error as unknown as RpcError } };
  }
  return unsound(id, 'The message is neither a request nor an answer');
}

function unsound(id: RequestId | null, message: string): RpcMessage {
  return { kind: 'unsound', id, error: { code: INVALID_REQUEST, message } };
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= LONGEST_ID : Number.isSafeInteger(id);
}

/** `value` if it is a string, else `other`. */
export function textOr(value: unknown, other = ''): string {
  return typeof value === 'string' ? value : other;
}

export function failed(code: number, message: string, data?: JsonObject): RpcFailure {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}
