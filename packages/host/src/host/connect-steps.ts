// The steps of connecting to a server, and the one at which it failed, for every program that shows them. Pure.

import type { EntryTarget } from '../config/index.ts';
import type { CallOutcome, Unavailable } from './call-outcome.ts';

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
  if (problem.kind !== 'not-connected') return last;
  const { kind } = problem.reason;
  // A server that has answered was reached.
  if (kind === 'unreachable' && hasAnswered) return last;
  return STEP_OF_REASON[kind] ?? last;
}

/** `undefined`: the last step, since the server was started or reached. */
const STEP_OF_REASON: Readonly<Record<Unavailable['kind'], ConnectStep | undefined>> = {
  disabled: 'configured',
  untrusted: 'configured',
  blocked: 'configured',
  'unsupported-transport': 'configured',
  unresolved: 'variables',
  'helper-failed': 'headers',
  'command-not-found': 'program',
  'not-executable': 'program',
  'bad-cwd': 'program',
  'spawn-failed': 'process',
  'broker-failed': 'process',
  unreachable: 'address',
  unauthorized: 'sign-in',
  'credentials-expired': 'sign-in',
  'wrong-era': 'era',
  'answers-untaken': undefined,
  'broken-frame': undefined,
  cancelled: undefined,
  closed: undefined,
  'crash-loop': undefined,
  exited: undefined,
  http: undefined,
  'invalid-result': undefined,
  'not-mcp': undefined,
  rpc: undefined,
  'runtime-too-old': undefined,
  'session-expired': undefined,
  'still-installing': undefined,
  timeout: undefined,
  'too-large': undefined,
  unexpected: undefined,
};
