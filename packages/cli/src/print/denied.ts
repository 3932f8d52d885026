// Explains why a call was denied and what would allow it.

import type { CallOutcome, Denial } from '@plugboard/host';
import { groundWords } from './decision.ts';
import type { Output } from '../terminal.ts';
import { type ShownError, writeError } from './error.ts';
import { place, type Standpoint } from './place.ts';
import type { Subject } from './subject.ts';
import { visible } from './visible.ts';

export function deniedError(
  outcome: Extract<CallOutcome, { readonly kind: 'denied' }>,
  { server, from }: Subject,
): ShownError {
  const { tool, by, reason, needs } = outcome;
  return {
    kind: outcome.kind,
    message: `calling tool "${tool}" of server "${server}" was denied${reasonWords(by, reason, from)}`,
    ...(by.kind === 'hook' ? { where: place(by.hook.origin, from) } : {}),
    fix: fixOf(by, `${server}/${tool}`),
    by,
    needs,
  };
}

/** Continues a sentence after "denied". */
export function reasonWords(by: Denial, reason: string, from: Subject['from']): string {
  switch (by.kind) {
    case 'policy':
      return ` by ${groundWords(by.decision.because, from)}`;
    case 'approver':
      return `: ${visible(reason)}, because of ${groundWords(by.decision.because, from)}`;
    case 'hook':
      return ` by a hook: ${visible(by.hook.reason)}`;
    default:
      return by satisfies never;
  }
}

function fixOf(by: Denial, call: string): string {
  switch (by.kind) {
    case 'policy':
      return `see which rules cover it: plugboard permissions ${call}`;
    case 'approver':
      return `answer y on a terminal, or add --yes; see the rules: plugboard permissions ${call}`;
    case 'hook':
      return 'change the call or the hook';
    default:
      return by satisfies never;
  }
}

/** Warns about hooks that failed to check a result, which is shown unchanged. */
export function writeFailedHooks(output: Output, outcome: CallOutcome, from: Standpoint): void {
  const failed = 'failedHooks' in outcome ? (outcome.failedHooks ?? []) : [];
  for (const { origin, reason } of failed) {
    const error: ShownError = {
      kind: 'hook-failed',
      message: `a hook after the call failed: ${visible(reason)}`,
      where: place(origin, from),
      fix: 'correct the hook',
    };
    writeError(output, error, 'warning');
  }
}
