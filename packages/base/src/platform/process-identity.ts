// Identifies a process in a form that can be stored, and tells whether it still runs. A number alone is not enough, since
// numbers are reused. On a shared disk, the record may come from another machine, whose processes are unknown here.

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../index.ts';
import { hasProcFolder, knownProcessFacts } from './process-facts.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** `undefined` if the system does not report it. */
  readonly start: number | undefined;
  readonly realm: string;
}

/** `unknown`: it may run. */
export type ProcessState = 'running' | 'gone' | 'unknown';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, start: knownProcessFacts(process.pid)?.start, realm: realm() };
}

export function stateOf({ pid, start, realm: from }: ProcessIdentity): ProcessState {
  if (from !== realm()) return 'unknown';
  const facts = knownProcessFacts(pid);
  if (facts === undefined) return isRunning(pid) ? 'unknown' : 'gone';
  if (facts.isZombie) return 'gone';
  if (start === undefined) return 'unknown';
  return facts.start === start ? 'running' : 'gone';
}

/** Whether a process with this number runs. It may be another program, since numbers are reused. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    // Signal 0 only checks.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process that may not be signalled belongs to another user, and runs.
    return codeOf(thrown) === 'EPERM';
  }
}

let knownRealm: string | undefined;

/** Within one realm a process number and a start time name one process. */
export function realm(): string {
  knownRealm ??= createHash('sha256').update(describeRealm()).digest('hex').slice(0, 12);
  return knownRealm;
}

function describeRealm(): string {
  if (!hasProcFolder) return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // A sandbox hides them, so the machine's name is used.
    return hostname();
  }
}
