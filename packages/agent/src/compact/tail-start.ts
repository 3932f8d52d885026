// Where the part of a conversation begins that stays as it is. It never begins with answers, so that no call is parted
// from its own. Pure.

import type { Message } from '../conversation/index.ts';
import { tokensOfMessage } from './token-estimate.ts';

/** The last messages that fit; at least the last one, with what it answers. */
export function tailStart(messages: readonly Message[], tokens: number): number {
  let left = tokens;
  let start = messages.length;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    left -= tokensOfMessage(message);
    if (left < 0 && start < messages.length) break;
    // Answers belong to the message before them, which is looked at next.
    if (message.kind !== 'tool') start = index;
  }
  return start;
}
