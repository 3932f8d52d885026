// Asks the user who typed the command about a call. A user who names a tool has asked for exactly that call, so there
// is a question only if a rule demands it: on the terminal, and without a terminal the call is denied.

import { allowAll, type Approval, type Approver, type ReadApprover } from '@plugboard/host';
import { canAsk, type Context } from '../context.ts';

export function personApprover(context: Context): Approver {
  if (context.answer === 'yes') return allowAll;
  return (request) => {
    // A script's calls were not named, and neither were those of a file.
    const isNamed = request.script === undefined && context.callsFrom === undefined;
    if (isNamed && request.decision.because.kind === 'default') return ALLOW;
    if (!canAsk(context)) return NO_TERMINAL;
    return import('./ask-about-call.ts').then(({ askAboutCall }) => askAboutCall(context, request));
  };
}

/** The same about a resource: it is asked about only where a rule says so. */
export function personReadApprover(context: Context): ReadApprover {
  return (request) => {
    if (context.answer === 'yes') return ALLOW;
    if (!canAsk(context)) return NO_TERMINAL;
    return import('./ask-about-call.ts').then(({ askAboutRead }) => askAboutRead(context, request));
  };
}

const ALLOW: Approval = { kind: 'allow' };
const NO_TERMINAL: Approval = {
  kind: 'deny',
  reason: 'there is no terminal to ask at',
};
