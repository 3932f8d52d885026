// Collects questions of servers that were declined without the user's decision, until the command prints its result.

import type { DeclinedQuestion, Host } from '@plugboard/host';
import type { Context } from '../context.ts';

/** Of the command that runs. */
const DECLINED = new WeakMap<Context, DeclinedQuestion[]>();

export function watchDeclined(context: Context, host: Host): Disposable {
  const declined = DECLINED.get(context) ?? [];
  DECLINED.set(context, declined);
  return host.on((event) => {
    if (event.kind !== 'question-declined') return;
    const { kind: _kind, ...question } = event;
    declined.push(question);
  });
}

export function declinedOf(context: Context): readonly DeclinedQuestion[] {
  return DECLINED.get(context) ?? [];
}
