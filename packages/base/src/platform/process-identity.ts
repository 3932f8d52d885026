// Identifies a process in a form that can be written down, and says whether it still runs. A number alone is not
// enough, since numbers are reused; and on a shared disk the note may come from another machine, about whose processes
// nothing can be said here.

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../index.ts';
import { hasProcFolder, knownProcessFacts } from './process-facts.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** `undefined` where the machine does not tell. */
  readonly start: number | undefined;
  readonly realm: string;
}

/** `unknown`: it cannot be told from here, so it may run. */
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

/** Whether a process of this number runs. Which program it is, it does not say: numbers are used again. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // One that we may not signal is another user's, and runs.
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
    // A sandbox that hides them: the machine's name is the next best.
    return hostname();
  }
}
