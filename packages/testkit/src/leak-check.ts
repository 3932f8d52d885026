// Finds what a suite leaks: processes, timers that keep the process alive, and open handles (sockets, servers, pipes, file
// watchers). It compares the end with the start, so that handles of the test runner do not count. It finds processes only on
// Linux.

import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CodedError, codeOf } from '@plugboard/base';
import { allProcesses, descendants, type ProcessInfo } from './processes.ts';

export type Leak =
  | { readonly kind: 'process'; readonly pid: number; readonly command: string }
  | { readonly kind: 'timer'; readonly count: number }
  | { readonly kind: 'handle'; readonly type: string; readonly count: number };

export interface Snapshot {
  readonly processes: readonly ProcessInfo[];
  /** What keeps the process alive, as `process.getActiveResourcesInfo()` names it. */
  readonly resources: readonly string[];
}

export interface LeakCheck {
  /**
   * Rejects with a `suite-leaked` error that names the leaks, after a grace period for things that are just closing. Kills
   * leaked processes, so that they do not disturb the next suite.
   */
  finish(): Promise<void>;
}

/** Only a real leak takes this long. */
const GRACE_MS = 30_000;
const POLL_MS = 20;
/** Node's name for a timer that keeps the process alive. */
const TIMER = 'Timeout';

/** Starts watching. Call it before the suite opens anything. */
export function checkLeaks(options: { readonly graceMs?: number } = {}): LeakCheck {
  // Both are opened on first use, and do not belong to the suite.
  void process.stdout;
  void process.stderr;
  const children = watchChildren();
  const before = snapshot(children.pids());
  return {
    async finish() {
      try {
        const look = (): Leak[] => findLeaks(before, snapshot(children.pids()));
        const leaks = await lastingLeaks(look, options.graceMs ?? GRACE_MS);
        if (leaks.length === 0) return;
        leaks.forEach(killIfProcess);
        throw new CodedError('suite-leaked', describeLeaks(leaks), { data: { leaks } });
      } finally {
        children.stop();
      }
    },
  };
}

/** What exists after the suite but not before. Pure. */
export function findLeaks(before: Snapshot, after: Snapshot): Leak[] {
  const known = new Set(before.processes.map(({ pid }) => pid));
  const processes = after.processes
    .filter(({ pid }) => !known.has(pid))
    .map(({ pid, command }): Leak => ({ kind: 'process', pid, command }));
  const counts = countByType(after.resources);
  for (const [type, count] of countByType(before.resources)) {
    // Timers of the runner are short. One at the start must not hide another at the end.
    if (type !== TIMER) counts.set(type, (counts.get(type) ?? 0) - count);
  }
  const resources = [...counts]
    .filter(([, count]) => count > 0)
    .map(([type, count]): Leak =>
      type === TIMER ? { kind: 'timer', count } : { kind: 'handle', type, count },
    );
  return [...processes, ...resources];
}

export function describeLeaks(leaks: readonly Leak[]): string {
  return ['this suite left behind:', ...leaks.map((leak) => `- ${describeLeak(leak)}`)].join('\n');
}

function describeLeak(leak: Leak): string {
  switch (leak.kind) {
    case 'process':
      return `process ${leak.pid}: ${leak.command}`;
    case 'timer':
      return `${leak.count} × a timer that keeps the process alive`;
    case 'handle':
      return `${leak.count} × ${HANDLE_NAMES[leak.type] ?? 'an open handle'} (${leak.type})`;
    default:
      throw new RangeError(`no such leak: ${JSON.stringify(leak satisfies never)}`);
  }
}

const HANDLE_NAMES: Readonly<Record<string, string>> = {
  TCPSocketWrap: 'an open TCP socket',
  TCPServerWrap: 'a TCP server that still listens',
  TLSWrap: 'an open TLS socket',
  UDPWrap: 'an open UDP socket',
  PipeWrap: 'an open pipe or local socket',
  PipeServerWrap: 'a local socket server that still listens',
  ProcessWrap: 'a child process that was not awaited',
  FSEventWrap: 'a file watcher',
  StatWatcher: 'a file watcher',
  MessagePort: 'an open message port or worker',
  Worker: 'a running worker',
};

function countByType(resources: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** The leaks that remain after the grace period; returns early if there are none. */
async function lastingLeaks(look: () => Leak[], graceMs: number): Promise<Leak[]> {
  const start = performance.now();
  for (;;) {
    // Checked before the look, which takes long on a busy machine: the last look has to start after the
    // whole grace period.
    const isLast = performance.now() - start >= graceMs;
    const leaks = look();
    if (leaks.length === 0 || isLast) return leaks;
    // Not counted as a leak itself, since it does not keep the process alive.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
  }
}

function snapshot(spawned: ReadonlySet<number>): Snapshot {
  return {
    processes: process.platform === 'linux' ? ownProcesses(spawned) : [],
    resources: process.getActiveResourcesInfo(),
  };
}

function ownProcesses(spawned: ReadonlySet<number>): ProcessInfo[] {
  const all = allProcesses();
  const below = new Set(descendants(process.pid, all).map(({ pid }) => pid));
  return ownAmong(all, { below, spawned });
}

/**
 * The descendants of this process, and orphans of those: an orphan keeps the group or session that a child led. The pid of an
 * ended child may belong to another program by now; that program then leads the group itself. Pure.
 */
export function ownAmong(
  all: readonly ProcessInfo[],
  {
    below,
    spawned,
  }: { readonly below: ReadonlySet<number>; readonly spawned: ReadonlySet<number> },
): ProcessInfo[] {
  const strangers = new Set(all.flatMap(({ pid }) => (below.has(pid) ? [] : [pid])));
  const isOurs = (leader: number): boolean => spawned.has(leader) && !strangers.has(leader);
  return all.filter(
    ({ pid, group, session }) => below.has(pid) || isOurs(group) || isOurs(session),
  );
}

/** Records every child that this process starts, through any library. */
function watchChildren(): { pids(): ReadonlySet<number>; stop(): void } {
  const children: ChildProcess[] = [];
  // Node publishes `{ process }` on this channel for each child it is about to start.
  const onStart = (message: unknown): void =>
    void children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  return {
    pids: () => new Set(children.map(({ pid }) => pid).filter((pid) => pid !== undefined)),
    stop: () => void unsubscribe('child_process', onStart),
  };
}

function killIfProcess(leak: Leak): void {
  if (leak.kind !== 'process') return;
  try {
    process.kill(leak.pid, 'SIGKILL');
  } catch (thrown) {
    // It has ended since the look.
    if (codeOf(thrown) !== 'ESRCH') throw thrown;
  }
}
