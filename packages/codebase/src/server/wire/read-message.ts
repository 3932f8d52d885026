// Parses a message of the protocol, or returns the JSON-RPC error for an invalid one. Pure.

import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, parseJson } from '@plugboard/base';

export interface ErrorReply {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type ReadMessage =
  | {
      readonly kind: 'read';
      /** The parsed value: one message or a batch. */
      readonly body: unknown;
      readonly messages: readonly JSONRPCMessage[];
    }
  | { readonly kind: 'refused'; readonly reply: ErrorReply };

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const MOST_DEPTH = 200;
const MOST_IN_BATCH = 100;

export function readMessage(text: string, maxLength: number): ReadMessage {
  const parsed = parseJson(text, { maxLength, maxDepth: MOST_DEPTH });
  if (!parsed.ok) {
    return parsed.error.kind === 'invalid'
      ? refused(PARSE_ERROR, 'Parse error: this is not JSON')
      : refused(INVALID_REQUEST, `Invalid request: the message is ${wordsFor(parsed.error.kind)}`);
  }
  const body = parsed.value;
  const all: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (all.length === 0) return refused(INVALID_REQUEST, 'Invalid request: the batch is empty');
  if (all.length > MOST_IN_BATCH) {
    return refused(INVALID_REQUEST, `Invalid request: more than ${MOST_IN_BATCH} messages`);
  }
  const messages: JSONRPCMessage[] = [];
  for (const one of all) {
    const message = messageIn(one);
    if (message === undefined) {
      const reply = replyTo(one, INVALID_REQUEST, 'Invalid request: this is no JSON-RPC message');
      return { kind: 'refused', reply };
    }
    messages.push(message);
  }
  return { kind: 'read', body, messages };
}

function wordsFor(kind: 'too-long' | 'too-deep'): string {
  return kind === 'too-long' ? 'too long' : 'nested too deeply';
}

function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    // The message of the SDK is not part of the answer.
    return undefined;
  }
}

function refused(code: number, message: string): ReadMessage {
  return { kind: 'refused', reply: replyTo(undefined, code, message) };
}

function replyTo(value: unknown, code: number, message: string): ErrorReply {
  const id = isObject(value) ? value['id'] : undefined;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { jsonrpc: '2.0', id: isId ? id : null, error: { code, message } };
}
