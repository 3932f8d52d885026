// The processes of this machine, read from /proc: Linux only. A zombie counts as ended.

import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '@plugboard/base';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly command: string;
}

/** All live processes, ordered by pid. */
export function allProcesses(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined)
    .toSorted((left, right) => left.pid - right.pid);
}

export function isAlive(pid: number): boolean {
  return readProcess(pid) !== undefined;
}

/** The process and its descendants, parents before children; empty if it has ended. */
export function processTree(pid: number): ProcessInfo[] {
  const own = readProcess(pid);
  return own === undefined ? [] : [own, ...descendants(pid)];
}

/** The descendants of a process (this one by default), parents before children. */
export function descendants(
  pid: number = process.pid,
  all: readonly ProcessInfo[] = allProcesses(),
): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const children = all.filter((candidate) => parents.has(candidate.parent));
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

function readProcess(pid: number): ProcessInfo | undefined {
  try {
    return parseStat(
      readFileSync(`/proc/${pid}/stat`, 'utf8'),
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    );
  } catch (thrown) {
    // The process may end during the read.
    if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes(codeOf(thrown) ?? '')) return undefined;
    throw thrown;
  }
}

/** `pid (name) state parent group session …`; the name may contain spaces and brackets. */
function parseStat(stat: string, commandLine: string): ProcessInfo | undefined {
  const nameEnd = stat.lastIndexOf(')');
  const [state, parent, group, session] = stat.slice(nameEnd + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    command: commandLine.split('\0').join(' ').trim() || `[${name}]`,
  };
}
