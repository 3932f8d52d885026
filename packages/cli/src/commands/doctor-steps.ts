// The steps of connecting to a server, and how far a check got. Pure.

import { type ConnectStep, connectSteps, type SignInStatus, type TakenStep } from '@plugboard/host';
import {
  type ConfiguredServer,
  entryTarget,
  type FoundProgram,
} from '@plugboard/host/configuration';
import type { RunningBroker } from '@plugboard/host/shared-servers';
import { place, type Standpoint } from '../print/place.ts';
import { runningWords } from '../print/shared-words.ts';
import { targetOf } from '../print/target.ts';
import { duration } from '../print/times.ts';
import type { ServerCheck } from './check-servers.ts';

export interface Step extends TakenStep {
  readonly detail: string;
}

export interface ExaminedServer {
  readonly server: ConfiguredServer;
  /** The program of a local server. */
  readonly program: FoundProgram | undefined;
  readonly check: ServerCheck;
  /** The sign-in status of a remote server. */
  readonly signIn: SignInStatus | undefined;
  /** The running processes of a shared server. */
  readonly running?: readonly RunningBroker[] | undefined;
  readonly from: Standpoint;
  /** The options of a server that is in no file. */
  readonly adHoc?: string | undefined;
}

/** The steps up to the one that failed. */
export function stepsOf(examined: ExaminedServer): readonly Step[] {
  const { server, check } = examined;
  const { written } = server;
  const steps = connectSteps({
    target: entryTarget(written).kind,
    hasHelper: 'headersHelper' in written && written.headersHelper !== undefined,
    problem: check.problem,
    hasAnswered: check.ready !== undefined,
  });
  return steps.map(({ step, state }) => ({
    step,
    state,
    detail: state === 'failed' ? failedDetail(step, examined) : okDetail(step, examined),
  }));
}

function okDetail(step: ConnectStep, examined: ExaminedServer): string {
  const { server, program, check, signIn, running, from, adHoc } = examined;
  const { written, origin, scope } = server;
  switch (step) {
    case 'configured':
      return adHoc === undefined ? `${place(origin, from)} (${scope})` : `for this run: ${adHoc}`;
    case 'variables':
      return 'all that it needs are set';
    case 'headers':
      return 'printed by its command';
    case 'program':
      return program === undefined || program.kind === 'nothing' ? '' : program.path;
    case 'process':
      return running === undefined ? 'started' : `shared: ${runningWords(running)}`;
    case 'address':
      return targetOf(written);
    case 'sign-in':
      return (
        signedInDetail(signIn) ??
        (isGiven(written) ? 'what it is given is accepted' : 'none asked for')
      );
    case 'answer':
      return check.ready === undefined ? 'the server answered' : introduction(check);
    case 'era':
      return check.ready === undefined
        ? ''
        : `${check.ready.era}, revision ${check.ready.protocolVersion}`;
    case 'tools':
      return `${check.tools} listed in ${duration(check.ms)}${keptBack(check)}`;
    default:
      return step satisfies never;
  }
}

function signedInDetail(status: SignInStatus | undefined): string | undefined {
  if (status?.state.kind !== 'signed-in') return undefined;
  const { account, state } = status;
  return `at ${state.issuer}${account === 'default' ? '' : ` as "${account}"`}`;
}

function keptBack({ quarantined }: ServerCheck): string {
  return quarantined.length === 0 ? '' : `, ${quarantined.length} kept back`;
}

function isGiven(entry: ConfiguredServer['written']): boolean {
  if (!('headers' in entry)) return false;
  return entry.headersHelper !== undefined || Object.keys(entry.headers).length > 0;
}

function introduction({ ready }: ServerCheck): string {
  const { server } = ready ?? {};
  return server === undefined ? 'the server answered' : `from ${server.name} ${server.version}`;
}

function failedDetail(step: ConnectStep, { server }: ExaminedServer): string {
  const { written } = server;
  switch (step) {
    case 'configured':
      return 'not in use';
    case 'variables':
      return 'not all that it needs are set';
    case 'headers':
      return 'not printed by its command';
    case 'program':
      return 'command' in written ? written.command : '';
    case 'process':
      return 'not started';
    case 'address':
      return targetOf(written);
    case 'sign-in':
      return 'asked for';
    case 'answer':
      return 'none that could be used';
    case 'era':
      return 'not the one that was asked for';
    case 'tools':
      return 'not listed';
    default:
      return step satisfies never;
  }
}
