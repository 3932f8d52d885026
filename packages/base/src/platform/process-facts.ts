// Reads facts about a process: parent, group, session, start time, and whether it is a zombie. From /proc on Linux, and
// through `ps` on other Unixes. Nothing is known on Windows, and callers must treat missing facts as doubt.

import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../index.ts';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** `undefined` if the system does not report it. */
  readonly session: number | undefined;
  /** When it started, in a unit of the system, only for comparison. */
  readonly start: number;
  /** It has ended, and its parent has not collected its exit yet. */
  readonly isZombie: boolean;
}

export const hasProcFolder = existsSync('/proc/self/stat');

/** `undefined` if there is no such process or the system does not report it; throws if the query fails. */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (hasProcFolder) return factsFromProc(pid);
  return process.platform === 'win32' ? undefined : factsFromPs(pid);
}

/** The same; `undefined` also if the query fails, as when too many files are open. */
export function knownProcessFacts(pid: number): ProcessFacts | undefined {
  try {
    return processFacts(pid);
  } catch {
    return undefined;
  }
}

function factsFromProc(pid: number): ProcessFacts | undefined {
  try {
    return parseProcStat(readStart(`/proc/${pid}/stat`));
  } catch (thrown) {
    // No such process, or a hidden one. Too many open files is neither.
    if (NOT_REPORTED.has(codeOf(thrown) ?? '')) return undefined;
    throw thrown;
  }
}

const STAT = Buffer.alloc(4096);

/** Reads a short file with half the system calls of `readFileSync`, since this runs for every process. */
function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    return STAT.toString('latin1', 0, readSync(file, STAT));
  } finally {
    closeSync(file);
  }
}

const NOT_REPORTED: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Reads a line of /proc/<pid>/stat, as proc_pid_stat(5) describes it. */
export function parseProcStat(line: string): ProcessFacts | undefined {
  // The program's name is in parentheses, and may itself contain spaces and parentheses.
  const nameEnd = line.lastIndexOf(')');
  const pid = Number.parseInt(line, 10);
  const fields = line
    .slice(nameEnd + 2)
    .trimEnd()
    .split(' ');
  const [state] = fields;
  const [parent, group, session, threads, start] = [1, 2, 3, 17, 19].map((index) =>
    Number(fields[index]),
  );
  if (nameEnd < 0 || state === undefined || !Number.isInteger(pid)) return undefined;
  if (parent === undefined || group === undefined) return undefined;
  if (session === undefined || start === undefined) return undefined;
  if (![parent, group, session, threads, start].every(Number.isSafeInteger)) return undefined;
  // A main thread that ended before the others is also shown as Z, while the process still runs.
  const isZombie = /^[ZXx]$/.test(state) && threads !== undefined && threads <= 1;
  return { pid, parent, group, session, start, isZombie };
}

/** The columns of `ps` that `parsePsLine` reads. */
export const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/** One locale and one time zone, so that two hosts read the same start time. */
export function psEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** For systems without /proc; exported for tests on those that have it. */
export function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    const line = execFileSync('ps', ['-o', PS_COLUMNS, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
      env: psEnvironment(),
    });
    return parsePsLine(line);
  } catch {
    // `ps` exits with 1 when there is no such process.
    return undefined;
  }
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)(?:\s|$)/;

/** Reads a line of `ps -o` with the columns above; more may follow. */
export function parsePsLine(line: string): ProcessFacts | undefined {
  const match = PS_LINE.exec(line);
  if (match === null) return undefined;
  const [, pid, parent, group, state = '', started = ''] = match;
  const start = Date.parse(`${started} UTC`);
  if (Number.isNaN(start)) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: undefined,
    start,
    isZombie: state.startsWith('Z'),
  };
}
