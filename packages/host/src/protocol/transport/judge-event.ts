// Decides whether an event can be passed to the SDK, which silently drops malformed messages, so that their
// requests never settle: such an answer is refused here, and members that are null or unknown are removed.
// Pure.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { parseJson } from '@plugboard/base';
import type { ProtocolFailure } from '../neutral/failure.ts';
import { UNREADABLE } from '../frame/failed-answer.ts';
import { sortMessage } from '../frame/sort-message.ts';

/** A message as it came. */
export interface Written {
  readonly message: JSONRPCMessage;
  readonly text: string;
}

export type JudgedEvent =
  | { readonly kind: 'passed'; readonly lines: readonly string[]; readonly written?: Written }
  | { readonly kind: 'refused'; readonly failure: ProtocolFailure };

/** The caller has checked size and depth. */
const NO_LIMITS = { maxLength: Number.POSITIVE_INFINITY, maxDepth: Number.POSITIVE_INFINITY };
const DATA = /^data: ?/;

export function judgeEvent(lines: readonly string[]): JudgedEvent {
  const asItCame: JudgedEvent = { kind: 'passed', lines };
  const data = lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, ''));
  const text = data.join('\n');
  // Other events name the address to post to, or are not for this client.
  if (!text.trimStart().startsWith('{')) return asItCame;
  const parsed = parseJson(text, NO_LIMITS);
  if (!parsed.ok) return isLikeAnswer(text) ? { kind: 'refused', failure: UNREADABLE } : asItCame;
  const sorted = sortMessage(parsed.value);
  if (sorted.kind === 'unsound-answer') {
    return { kind: 'refused', failure: { kind: 'invalid-result', detail: sorted.detail } };
  }
  if (sorted.kind !== 'message') return asItCame;
  const { message } = sorted;
  if (message === parsed.value) return { ...asItCame, written: { message, text } };
  const others = lines.filter((line) => !DATA.test(line));
  return { kind: 'passed', lines: [...others, `data: ${JSON.stringify(message)}`] };
}

function isLikeAnswer(text: string): boolean {
  return text.includes('"jsonrpc"') && (text.includes('"result"') || text.includes('"error"'));
}
