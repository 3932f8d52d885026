// Decides what one line of a server's stdout is: messages, a broken message, or a stray line that a
// careless `print` left there. Pure.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, parseJson } from '@plugboard/base';
import { MAX_DEPTH } from './limits.ts';

export type Frame =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'batch'; readonly messages: readonly JSONRPCMessage[] }
  | { readonly kind: 'blank' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'stray' };

export function readFrame(line: string): Frame {
  if (line.trim() === '') return { kind: 'blank' };
  const parsed = parseJson(line, { maxLength: Number.POSITIVE_INFINITY, maxDepth: MAX_DEPTH });
  if (!parsed.ok) return { kind: BROKEN_MESSAGE.test(line) ? 'broken' : 'stray' };
  if (isMessage(parsed.value)) return { kind: 'message', message: parsed.value };
  // The 2025-03-26 revision allowed several messages in one line.
  if (Array.isArray(parsed.value) && parsed.value.length > 0 && parsed.value.every(isMessage)) {
    return { kind: 'batch', messages: parsed.value };
  }
  return { kind: 'stray' };
}

/** A line that was meant as a message, as no log line is. */
const BROKEN_MESSAGE = /^\s*\{.{0,200}"jsonrpc"\s*:\s*"2\.0"/s;

function isMessage(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value['jsonrpc'] === '2.0';
}

/**
 * The id of the request that a line of too many bytes answered, read from the edges that were kept:
 * servers write the id either first or last. `undefined` when neither edge tells.
 */
export function idOfOversizeAnswer(edges: {
  readonly head: string;
  readonly tail: string;
}): number | string | undefined {
  const found = ID_AT_HEAD.exec(edges.head) ?? ID_AT_TAIL.exec(edges.tail);
  if (found === null) return undefined;
  return found[1] === undefined ? found[2] : Number(found[1]);
}

const ID_AT_HEAD =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*,/;
const ID_AT_TAIL = /,\s*"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*\}\s*$/;
