// Decides whether to pass an event to the SDK. The SDK silently drops malformed messages, so that their requests never
// settle: this refuses malformed answers, and removes members that are null or unknown. Pure.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { parseJson } from '@plugboard/base';
import type { ProtocolFailure } from '../neutral/failure.ts';
import { UNREADABLE } from '../frame/failed-answer.ts';
import { NO_LIMITS } from '../frame/limits.ts';
import { sortMessage } from '../frame/sort-message.ts';

/** A message and the text from which it was parsed. */
export interface WrittenMessage {
  readonly message: JSONRPCMessage;
  readonly text: string;
}

export type JudgedEvent =
  | {
      readonly kind: 'passed';
      readonly lines: readonly string[];
      readonly written?: WrittenMessage;
    }
  | { readonly kind: 'refused'; readonly failure: ProtocolFailure };

const DATA = /^data: ?/;

export function judgeEvent(lines: readonly string[]): JudgedEvent {
  const unchanged: JudgedEvent = { kind: 'passed', lines };
  const data = lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, ''));
  const text = data.join('\n');
  // Other events contain the address for posts, or are not for this client.
  if (!text.trimStart().startsWith('{')) return unchanged;
  const parsed = parseJson(text, NO_LIMITS);
  if (!parsed.ok) return isLikeAnswer(text) ? { kind: 'refused', failure: UNREADABLE } : unchanged;
  const sorted = sortMessage(parsed.value);
  if (sorted.kind === 'unsound-answer') {
    return { kind: 'refused', failure: { kind: 'invalid-result', detail: sorted.detail } };
  }
  if (sorted.kind !== 'message') return unchanged;
  const { message } = sorted;
  if (message === parsed.value) return { ...unchanged, written: { message, text } };
  const others = lines.filter((line) => !DATA.test(line));
  return { kind: 'passed', lines: [...others, `data: ${JSON.stringify(message)}`] };
}

function isLikeAnswer(text: string): boolean {
  return text.includes('"jsonrpc"') && (text.includes('"result"') || text.includes('"error"'));
}
