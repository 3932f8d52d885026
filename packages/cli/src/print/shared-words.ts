// Texts about shared servers: whether they run, and why a broker cannot be used.

import { systemClock } from '@plugboard/base';
import type { Unavailable } from '@plugboard/host';
import type { RunningBroker } from '@plugboard/host/shared-servers';
import type { ServerProblem } from './error.ts';
import { ageOf, isoTime } from './times.ts';

/** A running shared server, for programs. */
export interface RunningShared {
  readonly pid: number;
  readonly serverPid: number | null;
  readonly since: string;
  readonly clients: number;
}

export function runningForPrograms({
  pid,
  serverPid,
  since,
  clients,
}: RunningBroker): RunningShared {
  return { pid, serverPid: serverPid ?? null, since: isoTime(since), clients };
}

export function runningWords(running: readonly RunningBroker[]): string {
  if (running.length === 0) return 'does not run now';
  return running
    .map((each) => {
      const started = ageOf(systemClock.now() - each.since);
      return `process ${each.serverPid ?? each.pid}, started ${started}, ${usedBy(each)}`;
    })
    .join('; ');
}

export function usedBy({ clients }: Pick<RunningBroker, 'clients'>): string {
  if (clients === 0) return 'not in use';
  return clients === 1 ? 'used by 1 program' : `used by ${clients} programs`;
}

type BrokerProblem = Extract<Unavailable, { readonly kind: 'broker-failed' }>['reason'];

const UNSAFE: Readonly<Record<Extract<BrokerProblem, { kind: 'unsafe' }>['why'], string>> = {
  link: 'is a link',
  'wrong-type': 'is something else than it should be',
  foreign: 'belongs to another user',
  'open-to-others': 'is open to other users',
};

export function brokerWords(problem: BrokerProblem, server: string): ServerProblem {
  switch (problem.kind) {
    case 'unsafe':
      return {
        message: `cannot be shared: ${problem.path} ${UNSAFE[problem.why]}`,
        fix: `look at what it is, and remove it: rm -r ${problem.path}`,
      };
    case 'unusable':
      return {
        message: `cannot be shared: ${problem.path} cannot be used (${problem.code})`,
        fix: 'fix the folder, or remove "shared" from its entry',
      };
    case 'did-not-start':
      return {
        message: `cannot be shared: its broker did not start: ${problem.detail}`,
        fix: 'try again; if that does not help, remove "shared" from its entry',
      };
    case 'refused':
      return {
        message:
          problem.why === 'full'
            ? 'is shared by too many programs already'
            : 'is shared by a broker that does not know this entry',
        fix: `end it, for all who use it: plugboard stop ${server}`,
      };
    default:
      return problem satisfies never;
  }
}
