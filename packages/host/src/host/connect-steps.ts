// How far an attempt to connect to a server got, in steps, for every program that shows them. Pure.

import type { EntryTarget } from '../config/index.ts';
import { factsOf, isProtocolFailure, type ProtocolFailure } from '../protocol/index.ts';
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

/** `none` is a server in this process. */
const STEPS: Readonly<Record<EntryTarget['kind'], readonly ConnectStep[]>> = {
  command: ['configured', 'variables', 'program', 'process', 'answer', 'era', 'tools'],
  url: ['configured', 'variables', 'headers', 'address', 'sign-in', 'answer', 'era', 'tools'],
  none: ['configured', 'answer', 'era', 'tools'],
};

export interface ConnectAttempt {
  readonly target: EntryTarget['kind'];
  /** Whether a command prints headers for the server. Other servers only have the step if it failed. */
  readonly hasHelper: boolean;
  readonly problem: CallOutcome | undefined;
  /** Whether the server introduced itself before it failed. */
  readonly hasAnswered: boolean;
}

export interface TakenStep {
  readonly step: ConnectStep;
  readonly state: 'ok' | 'failed';
}

/** The steps up to the one that failed. */
export function connectSteps(attempt: ConnectAttempt): readonly TakenStep[] {
  const { target, hasHelper, problem, hasAnswered } = attempt;
  const failed = problem === undefined ? undefined : failedStep(problem, hasAnswered);
  const steps = STEPS[target].filter((step) => step !== 'headers' || hasHelper || step === failed);
  const end = failed === undefined ? steps.length : steps.indexOf(failed) + 1;
  return steps.slice(0, end).map((step) => ({ step, state: step === failed ? 'failed' : 'ok' }));
}

function failedStep(problem: CallOutcome, hasAnswered: boolean): ConnectStep {
  const last = hasAnswered ? 'tools' : 'answer';
  if (problem.kind === 'needs-auth') return 'sign-in';
  if (problem.kind !== 'not-connected') return last;
  const { reason } = problem;
  if (!isProtocolFailure(reason)) return STEP_OF_OTHERS[reason.kind] ?? last;
  // A server that has answered was reached.
  if (reason.kind === 'unreachable' && hasAnswered) return last;
  return factsOf(reason).step ?? last;
}

const STEP_OF_OTHERS: Readonly<
  Record<Exclude<Unavailable, ProtocolFailure>['kind'], ConnectStep | undefined>
> = {
  disabled: 'configured',
  untrusted: 'configured',
  blocked: 'configured',
  unresolved: 'variables',
  'helper-failed': 'headers',
  'crash-loop': undefined,
};
