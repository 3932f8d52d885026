// A snapshot of all processes of the machine, indexed by parent, group, session and sign. A snapshot takes some
// milliseconds, so concurrent callers share one. It is read from /proc on Linux, and through `ps`, which does not report
// pipes, on other Unixes.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { groupBy, systemClock } from '@plugboard/base';
import {
  hasProcFolder,
  parsePsLine,
  type ProcessFacts,
  processFacts,
  PS_COLUMNS,
  psEnvironment,
} from '@plugboard/base/platform';
import { MARK_VARIABLE, marksIn } from './process-mark.ts';

/** What shows who started a process, even after it left its group: its marks, and the sockets that are its pipes. */
type ProcessSigns = readonly string[];

export class ProcessTable {
  readonly #byPid: ReadonlyMap<number, ProcessFacts>;
  readonly #byParent: ReadonlyMap<number, readonly ProcessFacts[]>;
  readonly #byGroup: ReadonlyMap<number, readonly ProcessFacts[]>;
  readonly #bySession: ReadonlyMap<number | undefined, readonly ProcessFacts[]>;
  readonly #bySign = new Map<string, ProcessFacts[]>();

  constructor(all: readonly ProcessFacts[], signs: ReadonlyMap<number, ProcessSigns>) {
    const running = all.filter(({ isZombie }) => !isZombie);
    this.#byPid = new Map(running.map((facts) => [facts.pid, facts]));
    this.#byParent = groupBy(running, ({ parent }) => parent);
    this.#byGroup = groupBy(running, ({ group }) => group);
    this.#bySession = groupBy(running, ({ session }) => session);
    for (const facts of running) {
      for (const sign of signs.get(facts.pid) ?? []) {
        this.#bySign.set(sign, [...(this.#bySign.get(sign) ?? []), facts]);
      }
    }
  }

  get(pid: number): ProcessFacts | undefined {
    return this.#byPid.get(pid);
  }

  childrenOf(pid: number): readonly ProcessFacts[] {
    return this.#byParent.get(pid) ?? [];
  }

  group(leader: number): readonly ProcessFacts[] {
    return this.#byGroup.get(leader) ?? [];
  }

  session(leader: number): readonly ProcessFacts[] {
    return this.#bySession.get(leader) ?? [];
  }

  withSign(sign: string): readonly ProcessFacts[] {
    return this.#bySign.get(sign) ?? [];
  }
}

let next: { readonly table: Promise<ProcessTable>; since: number } | undefined;

/**
 * A snapshot that is taken after the call, with the signs of the processes that started at `since` or later. Rejects if
 * processes cannot be listed.
 */
export function processTable(since: number): Promise<ProcessTable> {
  next ??= { table: takeSnapshot(), since };
  next.since = Math.min(next.since, since);
  return next.table;
}

async function takeSnapshot(): Promise<ProcessTable> {
  // Any wait would do: until it is over, all callers share this snapshot, which has not begun.
  await lstat('.').catch(() => {});
  const since = next?.since ?? 0;
  next = undefined;
  return hasProcFolder ? readProcTable(since) : readPsTable();
}

interface SeenProcess {
  readonly facts: ProcessFacts;
  /** `undefined` while they may still change: a process in the middle of `exec` shows none. */
  readonly signs: ProcessSigns | undefined;
  readonly reads: number;
}

/**
 * While a program is being stopped, snapshots follow each other closely, and reading every process again would take most of
 * the time. Facts that were read within this time are reused, though a group or session may have changed since: members of
 * a tree are read again before they are signalled. No number is reused that soon.
 */
const RECENT_MS = 1000;
/** How often the folder is listed again for processes that were started meanwhile. */
const MAX_ROUNDS = 8;
let seen = new Map<number, SeenProcess>();
let freshUntil = Number.NEGATIVE_INFINITY;

/** Makes the next snapshot read this process again, even if it was read recently. */
export function readAgain(pid: number): void {
  seen.delete(pid);
}

/**
 * One pass over the folder never meets a process that forks and exits all the time. So the folder is listed
 * again until it names no new process: a process that exited during a pass had already forked, and the next
 * pass meets its child.
 */
function readProcTable(since: number): ProcessTable {
  const isRecent = systemClock.elapsed() < freshUntil;
  if (!isRecent) freshUntil = systemClock.elapsed() + RECENT_MS;
  const met = new Set<string>();
  const now = new Map<number, SeenProcess>();
  const signs = new Map<number, ProcessSigns>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !met.has(name));
    if (names.length === 0) break;
    for (const name of names) {
      met.add(name);
      const pid = Number(name);
      const before = seen.get(pid);
      const facts = isRecent && before !== undefined ? before.facts : processFacts(pid);
      if (facts === undefined) continue;
      const known = before?.facts.start === facts.start ? before : undefined;
      if (facts.isZombie || facts.start < since) {
        now.set(pid, { facts, signs: known?.signs, reads: known?.reads ?? 0 });
        continue;
      }
      const found = known?.signs ?? [...readMarks(pid), ...pipesOf(pid)];
      const reads = (known?.reads ?? 0) + 1;
      signs.set(pid, found);
      now.set(pid, { facts, signs: found.length > 0 || reads > 1 ? found : undefined, reads });
    }
  }
  seen = now;
  return new ProcessTable(
    [...now.values()].map(({ facts }) => facts),
    signs,
  );
}

function readMarks(pid: number): readonly string[] {
  try {
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
    const at = environment.indexOf(`\0${MARK_VARIABLE}=`);
    if (at < 0) return [];
    const from = at + MARK_VARIABLE.length + 2;
    const end = environment.indexOf('\0', from);
    return marksIn(environment.slice(from, end < 0 ? undefined : end));
  } catch {
    // The process has ended, belongs to another user, or hides its environment.
    return [];
  }
}

/** The sockets that a process has as stdin, stdout and stderr. Node makes sockets of pipes. */
export function pipesOf(pid: number): readonly string[] {
  if (!hasProcFolder) return [];
  return [0, 1, 2].flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return target.startsWith('socket:') ? [target] : [];
    } catch {
      // Closed, or not accessible.
      return [];
    }
  });
}

const MAX_PS_BYTES = 64 * 1024 * 1024;
const MARK_IN_LINE = new RegExp(`\\s${MARK_VARIABLE}=(\\S*)`);

/** For systems without /proc; exported for tests on those that have it. */
export async function readPsTable(): Promise<ProcessTable> {
  // The environment of a process follows its command line; macOS has another option for it.
  const withEnvironment = process.platform === 'darwin' ? '-axwwE' : 'axwwe';
  const { stdout } = await promisify(execFile)(
    'ps',
    [withEnvironment, '-o', `${PS_COLUMNS},command=`],
    { encoding: 'utf8', timeout: 2000, maxBuffer: MAX_PS_BYTES, env: psEnvironment() },
  );
  const all: ProcessFacts[] = [];
  const marks = new Map<number, ProcessSigns>();
  for (const line of stdout.split('\n')) {
    const facts = parsePsLine(line);
    if (facts === undefined) continue;
    all.push(facts);
    marks.set(facts.pid, marksIn(MARK_IN_LINE.exec(line)?.[1] ?? ''));
  }
  return new ProcessTable(all, marks);
}
