// The text of an approval that waits at a gateway: the client, the exact call, and the reason for the question.

import type { ApprovalView, WaitingAnswer } from '@plugboard/gateway/console-api';
import { callLines } from './call-screen.ts';
import { quoted, visible } from './visible.ts';

export const NO_GATEWAY =
  'No gateway is running yet. Start one in the background: plugboard serve --background\n';

export function waitingScreen(waiting: ApprovalView): string {
  const { client, server, tool, arguments: given, script, reason } = waiting;
  return [
    `For the client ${quoted(client)}:`,
    ...callLines({ server, tool, given, script }),
    `Asked because ${visible(reason)}.`,
    '',
  ].join('\n');
}

const CHOICES = {
  once: '[y]es',
  script: 'yes for this tool in this [s]cript',
  session: '[u]ntil the gateway stops',
  always: '[a]lways',
} as const satisfies Record<ApprovalView['offers'][number], string>;

export function waitingQuestion(offers: ApprovalView['offers']): string {
  return `Let it run? ${offers.map((offer) => CHOICES[offer]).join(', ')}, or [N]o: `;
}

const REMEMBERED = {
  once: 'Allowed.',
  script: 'Allowed for this script.',
  session: 'Allowed until the gateway stops.',
  always: 'Allowed from now on. See the rule: plugboard permissions',
} as const satisfies Record<ApprovalView['offers'][number], string>;

export function answeredWords(answer: WaitingAnswer): string {
  switch (answer.kind) {
    case 'allow':
      return `${REMEMBERED[answer.remember]}\n`;
    case 'deny':
      return 'Denied.\n';
    case 'accept':
      return 'Sent.\n';
    case 'decline':
      return 'Declined.\n';
    case 'cancel':
      return 'Cancelled.\n';
    default:
      return answer satisfies never;
  }
}
