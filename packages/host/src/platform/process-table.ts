// One look at all processes of the machine, arranged so that those who belong together are found without searching. A look
// takes some milliseconds, so those who ask at the same time share one. Linux answers from /proc, other Unixes through `ps`,
// which tells no pipes. Which processes belong together is decided elsewhere.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemClock } from '@plugboard/base';
import {
  hasProcFolder,
  parsePsLine,
  type ProcessFacts,
  processFacts,
  PS_COLUMNS,
  psEnvironment,
} from '@plugboard/base/platform';
import { MARK_VARIABLE, marksIn } from './process-mark.ts';

/** What tells who started a process, whatever it changed since: its marks, and the sockets that are its pipes. */
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
    this.#byParent = arrange(running, ({ parent }) => parent);
    this.#byGroup = arrange(running, ({ group }) => group);
    this.#bySession = arrange(running, ({ session }) => session);
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

function arrange<Key>(
  all: readonly ProcessFacts[],
  keyOf: (facts: ProcessFacts) => Key,
): Map<Key, ProcessFacts[]> {
  const arranged = new Map<Key, ProcessFacts[]>();
  for (const facts of all) {
    const sharing = arranged.get(keyOf(facts));
    if (sharing === undefined) arranged.set(keyOf(facts), [facts]);
    else sharing.push(facts);
  }
  return arranged;
}

let next: { readonly table: Promise<ProcessTable>; since: number } | undefined;

/**
 * All processes, looked at after the moment of the call, with the signs of those that started at `since` or later. Rejects
 * when the machine cannot be asked.
 */
export function processTable(since: number): Promise<ProcessTable> {
  next ??= { table: lookSoon(), since };
  next.since = Math.min(next.since, since);
  return next.table;
}

async function lookSoon(): Promise<ProcessTable> {
  // Any wait would do: until it is over, everybody who asks gets this look, which has not begun.
  await lstat('.').catch(() => {});
  const since = next?.since ?? 0;
  next = undefined;
  return hasProcFolder ? readProcTable(since) : readPsTable();
}

interface SeenProcess {
  readonly facts: ProcessFacts;
  /** `undefined` as long as they may still change: a process that is just becoming another program shows none. */
  readonly signs: ProcessSigns | undefined;
  readonly looks: number;
}

/**
 * While something is being stopped, looks follow each other closely, and to read about every process again would take most of
 * the time there is. What was seen so lately is told again, though its group or session may have changed: members of a tree
 * are looked at once more before they are signalled. No number is used again that soon.
 */
const RECENT_MS = 1000;
/** How often processes that were started during a look are looked at, too. */
const MAX_ROUNDS = 8;
let seen = new Map<number, SeenProcess>();
let freshUntil = Number.NEGATIVE_INFINITY;

/** Has the next look read about a process again, though it was seen lately. */
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
        now.set(pid, { facts, signs: known?.signs, looks: known?.looks ?? 0 });
        continue;
      }
      const found = known?.signs ?? [...readMarks(pid), ...pipesOf(pid)];
      const looks = (known?.looks ?? 0) + 1;
      signs.set(pid, found);
      now.set(pid, { facts, signs: found.length > 0 || looks > 1 ? found : undefined, looks });
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
    // It has ended, is another user's, or hides its environment.
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
      // It is closed, or not for us to see.
      return [];
    }
  });
}

const MAX_PS_BYTES = 64 * 1024 * 1024;
const MARK_IN_LINE = new RegExp(`\\s${MARK_VARIABLE}=(\\S*)`);

/** Exported for the machines that have no /proc, and for tests on those that have. */
export async function readPsTable(): Promise<ProcessTable> {
  // The environment of a process follows its command line; macOS has another word for it than the others.
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
