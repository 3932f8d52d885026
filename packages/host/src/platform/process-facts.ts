// What the machine says about its processes: group, session, start time, and whether one is only a
// zombie. Linux answers from /proc, other Unixes through `ps`; Windows answers nothing, and callers
// must take "nothing" as doubt.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '@plugboard/base';

export interface ProcessFacts {
  readonly pid: number;
  readonly group: number;
  /** `undefined` where the machine does not tell. */
  readonly session: number | undefined;
  /** When it started, in a unit of the machine's own: compare, do not show. */
  readonly start: number;
  /** Dead, and only not yet collected by its parent. */
  readonly isZombie: boolean;
}

export const hasProcFolder = existsSync('/proc/self/stat');

/** `undefined` when there is no such process or the machine does not tell; throws when it cannot be asked. */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (hasProcFolder) return factsFromProc(pid);
  return process.platform === 'win32' ? undefined : factsFromPs(pid);
}

/** Every process that can be seen. Only where there is a /proc folder; elsewhere none. */
export function allProcessFacts(): readonly ProcessFacts[] {
  if (!hasProcFolder) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => factsFromProc(Number(name)))
    .filter((facts) => facts !== undefined);
}

function factsFromProc(pid: number): ProcessFacts | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (thrown) {
    // No such process, or one that hides itself: both are "not told". Too many open files is neither.
    if (NOT_TOLD.has(codeOf(thrown) ?? '')) return undefined;
    throw thrown;
  }
}

const NOT_TOLD: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Reads a line of /proc/<pid>/stat, as proc_pid_stat(5) describes it. */
export function parseProcStat(line: string): ProcessFacts | undefined {
  // The program's name stands in parentheses and may itself hold spaces and parentheses.
  const nameEnd = line.lastIndexOf(')');
  const pid = Number.parseInt(line, 10);
  const fields = line
    .slice(nameEnd + 2)
    .trimEnd()
    .split(' ');
  const [state] = fields;
  const [group, session, threads, start] = [2, 3, 17, 19].map((index) => Number(fields[index]));
  if (nameEnd < 0 || state === undefined || !Number.isInteger(pid)) return undefined;
  if (group === undefined || session === undefined || start === undefined) return undefined;
  if (![group, session, threads, start].every(Number.isSafeInteger)) return undefined;
  // A first thread that left before the others also shows as Z; the process then still runs.
  const isZombie = /^[ZXx]$/.test(state) && threads !== undefined && threads <= 1;
  return { pid, group, session, start, isZombie };
}

/** Exported for the machines that have no /proc, and for tests on those that have. */
export function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'pgid=,stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
      // One language and one zone, so that two hosts read the same start time.
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
    return parsePsLine(pid, line);
  } catch {
    // `ps` exits with 1 when there is no such process.
    return undefined;
  }
}

function parsePsLine(pid: number, line: string): ProcessFacts | undefined {
  const match = /^\s*(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (match === null) return undefined;
  const [, group = '', state = '', started = ''] = match;
  const start = Date.parse(`${started} UTC`);
  if (Number.isNaN(start)) return undefined;
  return { pid, group: Number(group), session: undefined, start, isZombie: state.startsWith('Z') };
}
