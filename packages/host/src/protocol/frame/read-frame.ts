// Classifies one line of a server's stdout: messages, a broken message, or a stray line, such as the output of a `print`.
// Pure.

import { parseJson } from '@plugboard/base';
import { MAX_BATCH, MAX_DEPTH } from './limits.ts';
import { type SortedMessage, sortMessage } from './sort-message.ts';

export type Frame =
  | SortedMessage
  | { readonly kind: 'batch'; readonly sorted: readonly SortedMessage[] }
  | { readonly kind: 'blank' }
  | { readonly kind: 'broken' };

export function readFrame(line: string): Frame {
  if (line.trim() === '') return { kind: 'blank' };
  const parsed = parseJson(line, { maxLength: Number.POSITIVE_INFINITY, maxDepth: MAX_DEPTH });
  if (!parsed.ok) return { kind: BROKEN_MESSAGE.test(line) ? 'broken' : 'stray' };
  // The 2025-03-26 revision allowed several messages in one line.
  return Array.isArray(parsed.value) ? sortBatch(parsed.value) : sortMessage(parsed.value);
}

function sortBatch(values: readonly unknown[]): Frame {
  if (values.length > MAX_BATCH) return { kind: 'broken' };
  const sorted = values.map(sortMessage);
  return sorted.every(({ kind }) => kind === 'stray')
    ? { kind: 'stray' }
    : { kind: 'batch', sorted };
}

/** A line that was meant as a message; no log line begins like this. */
const BROKEN_MESSAGE = /^\s*\{.{0,200}"jsonrpc"\s*:\s*"2\.0"/s;

/**
 * The id of the request that a too long line answers, read from its edges: servers write the id first or last.
 * `undefined` if neither edge contains it.
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
