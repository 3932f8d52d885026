// The questions of servers that were declined without the user's decision: collected while a command runs, and reported
// with its result.

import type { DeclinedQuestion, DeclineReason, Host } from '@plugboard/host';
import type { Context } from '../context.ts';
import type { Terminal } from '../terminal.ts';
import { oneLine } from './sanitise.ts';
import { quoted } from './visible.ts';

/** By the terminal of the command, which may copy its context. */
const DECLINED = new WeakMap<Terminal, DeclinedQuestion[]>();

export function watchDeclined({ terminal }: Context, host: Host): Disposable {
  const declined = DECLINED.get(terminal) ?? [];
  DECLINED.set(terminal, declined);
  return host.on((event) => {
    if (event.kind !== 'question-declined') return;
    const { kind: _kind, ...question } = event;
    declined.push(question);
  });
}

export function declinedOf({ terminal }: Context): readonly DeclinedQuestion[] {
  return DECLINED.get(terminal) ?? [];
}

export function writeDeclined(context: Context): void {
  if (context.isJson) return;
  for (const { server, message, reason } of declinedOf(context)) {
    const asked = message === '' ? '' : ` (${quoted(message)})`;
    const line = `note: declined what server ${quoted(server)} asked${asked}: ${reasonWords(reason)}`;
    context.terminal.err.write(`${oneLine(line)}\n`);
  }
}

function reasonWords(reason: DeclineReason): string {
  switch (reason.kind) {
    case 'nobody-to-ask':
      return 'there is no terminal to ask at; run the command in one';
    case 'too-many':
      return 'it asks too many questions';
    case 'not-a-form':
      return `it is not a form that the protocol allows; ${reason.detail}`;
    case 'bad-url':
      return `the page is not safe to open (${reason.why})`;
    case 'invalid-answer':
      return `the answer is not what it asks for: ${reason.issues.map(({ field }) => field).join(', ')}`;
    case 'hook':
      return `a hook withheld the answer; ${reason.detail}`;
    case 'failed':
      return `it could not be asked; ${reason.detail}`;
    default:
      return reason satisfies never;
  }
}
