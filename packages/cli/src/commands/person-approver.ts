// Asks the user of the command about a call. By naming a tool, the user has already requested that call, so only a rule can
// demand a question. Without a terminal, the call is then denied.

import { allowAll, type Approval, type Approver, type ReadApprover } from '@plugboard/host';
import { canAsk, type Context } from '../context.ts';

export function personApprover(context: Context): Approver {
  if (context.answer === 'yes') return allowAll;
  return (request) => {
    // The user did not name the calls of a script or a file.
    const isNamed = request.script === undefined && context.callsFrom === undefined;
    if (isNamed && request.decision.because.kind === 'default') return ALLOW;
    if (!canAsk(context)) return NO_TERMINAL;
    return import('./ask-about-call.ts').then(({ askAboutCall }) => askAboutCall(context, request));
  };
}

/** Asks about reading a resource, which only a rule can demand. */
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
