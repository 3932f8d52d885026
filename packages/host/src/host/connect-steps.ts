// The steps of connecting to a server, and the one at which it failed, for every program that shows them. Pure.

import type { EntryTarget } from '../config/index.ts';
import type { CallOutcome } from './call-outcome.ts';

export type ConnectStep =
  | 'configured'
  | 'variables'
  | 'headers'
  | 'program'
  | 'process'
  | 'address'
  | 'sign-in'
  | 'answer'
  | 'era'
  | 'tools';

/** `none` is a server in this process. Only a server with a headers helper has the step `headers`. */
export const CONNECT_STEPS: Readonly<Record<EntryTarget['kind'], readonly ConnectStep[]>> = {
  command: ['configured', 'variables', 'program', 'process', 'answer', 'era', 'tools'],
  url: ['configured', 'variables', 'headers', 'address', 'sign-in', 'answer', 'era', 'tools'],
  none: ['configured', 'answer', 'era', 'tools'],
};

/** `hasAnswered`: the server introduced itself before it failed. */
export function failedStep(
  problem: CallOutcome,
  { hasAnswered }: { readonly hasAnswered: boolean },
): ConnectStep {
  const last = hasAnswered ? 'tools' : 'answer';
  if (problem.kind === 'needs-auth') return 'sign-in';
  return problem.kind === 'not-connected' ? stepOfReason(problem.reason, last) : last;
}

type Reason = Extract<CallOutcome, { readonly kind: 'not-connected' }>['reason'];

function stepOfReason(reason: Reason, otherwise: 'tools' | 'answer'): ConnectStep {
  switch (reason.kind) {
    case 'disabled':
    case 'untrusted':
    case 'blocked':
    case 'unsupported-transport':
      return 'configured';
    case 'unresolved':
      return 'variables';
    case 'helper-failed':
      return 'headers';
    case 'command-not-found':
    case 'not-executable':
    case 'bad-cwd':
      return 'program';
    case 'spawn-failed':
    case 'broker-failed':
      return 'process';
    case 'unreachable':
      return otherwise === 'tools' ? 'tools' : 'address';
    case 'unauthorized':
    case 'credentials-expired':
      return 'sign-in';
    case 'wrong-era':
      return 'era';
    default:
      return otherwise;
  }
}
