// Finds out why a server does not work: connects again, and reports which steps succeeded and which one failed.

import {
  type CallOutcome,
  type ConnectStep,
  connectSteps,
  type Host,
  type ServerState,
  type ServerStatus,
} from '@plugboard/host';
import type { EntryTarget } from '@plugboard/host/configuration';
import { requestText } from '@plugboard/host/relay';
import type { DoctorReport } from '../console-api.ts';
import { commandFor, problemWords } from './server-view.ts';

type Ready = Extract<ServerState, { readonly kind: 'ready' }>;

interface Examination {
  readonly status: ServerStatus;
  readonly ready: Ready | undefined;
  readonly tools: number;
  readonly quarantined: number;
}

export async function examine(
  host: Host,
  name: string,
  signal: AbortSignal,
): Promise<DoctorReport> {
  let ready: Ready | undefined;
  using _ = host.on((event) => {
    if (event.kind !== 'state' || event.server.name !== name) return;
    if (event.server.state.kind === 'ready') ready = event.server.state;
  });
  const { tools, problems, quarantined } = await host.reconnect(name, { signal });
  const status = host.servers.find((server) => server.name === name);
  const [problem] = problems;
  if (status === undefined) {
    return { works: false, steps: [], problem: 'is gone', command: undefined };
  }
  const examination = { status, ready, tools: tools.length, quarantined: quarantined.length };
  return {
    works: problem === undefined,
    steps: stepsOf(examination, problem),
    problem: problem === undefined ? undefined : problemText(problem),
    command: problem === undefined ? undefined : commandFor(status),
  };
}

function stepsOf(
  examination: Examination,
  problem: CallOutcome | undefined,
): DoctorReport['steps'] {
  const { status, ready } = examination;
  const target = targetOf(status);
  const hasAnswered = ready !== undefined;
  return connectSteps({ target, hasHelper: false, problem, hasAnswered }).map(
    ({ step, state }) => ({
      step,
      state,
      detail: state === 'failed' ? FAILED[step] : okDetail(step, examination),
    }),
  );
}

function targetOf({ transport }: ServerStatus): EntryTarget['kind'] {
  if (transport === 'in-process') return 'none';
  return transport === 'stdio' ? 'command' : 'url';
}

function okDetail(step: ConnectStep, { status, ready, tools, quarantined }: Examination): string {
  const { origin, transport } = status;
  switch (step) {
    case 'configured':
      return origin.kind === 'file' ? `${origin.file}:${origin.line}` : `by ${origin.by}`;
    case 'variables':
      return 'all that it needs are set';
    case 'headers':
      return 'printed by its command';
    case 'program':
      return 'found';
    case 'process':
      return 'started';
    case 'address':
      return `reached over ${transport}`;
    case 'sign-in':
      return 'accepted, or not asked for';
    case 'answer':
      return ready?.server === undefined
        ? 'the server answered'
        : `from ${ready.server.name} ${ready.server.version}`;
    case 'era':
      return ready === undefined ? '' : `${ready.era}, revision ${ready.protocolVersion}`;
    case 'tools':
      return `${tools} listed${quarantined === 0 ? '' : `, ${quarantined} kept back`}`;
    default:
      return step satisfies never;
  }
}

const FAILED: Readonly<Record<ConnectStep, string>> = {
  configured: 'not in use',
  variables: 'not all that it needs are set',
  headers: 'not printed by its command',
  program: 'not found, or may not be run',
  process: 'not started',
  address: 'not reached',
  'sign-in': 'asked for',
  answer: 'none that could be used',
  era: 'not the one that was asked for',
  tools: 'not listed',
};

/** Continues a sentence that begins with the name of the server. */
function problemText(problem: CallOutcome): string {
  if (problem.kind === 'not-connected') return problemWords(problem.reason);
  if (problem.kind === 'needs-auth') {
    return problem.reason === undefined
      ? 'does not take the key that its entry has'
      : 'needs you to sign in';
  }
  return requestText(problem, 'The list of tools');
}
