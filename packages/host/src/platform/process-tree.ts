// A started process with all its descendants: its group, the processes with its mark or its pipes, their children, and
// the sessions that they began. Signals all of them and reports whether any is left; the stop ladder decides when.

import { spawn } from 'node:child_process';
import { codeOf } from '@plugboard/base';
import {
  hasProcFolder,
  isRunning,
  knownProcessFacts,
  type ProcessFacts,
} from '@plugboard/base/platform';
import { pipesOf, processTable, readAgain } from './process-table.ts';
import { countWithDescendants, findMembers, type TreeRoot } from './tree-members.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

export interface ProcessTree {
  /** Whether the started process itself still runs. */
  hasLeader(): boolean;
  signal(signal: StopSignal): Promise<void>;
  /** True once no process is left that a signal could stop. Stays true. */
  isGone(): Promise<boolean>;
}

export interface Leader {
  /** The process leads its own group. */
  readonly pid: number;
  readonly mark: string;
  /** Whether its exit was reported. */
  readonly hasExited: () => boolean;
}

/** Call it as soon as the leader has been started: its start time and pipes are read now. */
export function processTree({ pid, mark, hasExited }: Leader): ProcessTree {
  if (process.platform === 'win32') return new WindowsProcessTree(pid, hasExited);
  const root = {
    pid,
    // Only if it is cheap: `ps` would be a process of its own.
    start: hasProcFolder ? (knownProcessFacts(pid)?.start ?? 0) : 0,
    outerSession: hasProcFolder ? knownProcessFacts(process.pid)?.session : undefined,
    signs: [mark, ...pipesOf(pid)],
  };
  return new UnixProcessTree(root, { hasExited, leadsGroup: true });
}

/**
 * A tree that another process started and can no longer end. `leadsGroup`: the group of that number is the
 * root's.
 */
export function abandonedTree(
  root: TreeRoot,
  { leadsGroup }: { readonly leadsGroup: boolean },
): ProcessTree {
  return new UnixProcessTree(root, { hasExited: () => true, leadsGroup });
}

/** The number of processes in a tree; `undefined` if the system does not report it. */
export async function processCount(pid: number): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    // No signs are needed.
    return countWithDescendants(await processTable(Number.POSITIVE_INFINITY), pid);
  } catch {
    // Processes cannot be listed.
    return undefined;
  }
}

class UnixProcessTree implements ProcessTree {
  readonly #root: TreeRoot;
  readonly #hasExited: () => boolean;
  /** The processes of the last snapshot, by number. While one of them runs, no new snapshot is needed. */
  #known: Processes = new Map();
  #hasSnapshot = false;
  /** Once the group was empty, its number may be reused by other processes. */
  #leadsGroup: boolean;
  #isKilled = false;
  #isGone = false;

  constructor(
    root: TreeRoot,
    { hasExited, leadsGroup }: { readonly hasExited: () => boolean; readonly leadsGroup: boolean },
  ) {
    this.#root = root;
    this.#hasExited = hasExited;
    this.#leadsGroup = leadsGroup;
  }

  hasLeader(): boolean {
    return !this.#hasExited();
  }

  async signal(signal: StopSignal): Promise<void> {
    this.#isKilled ||= signal === 'SIGKILL';
    await this.#refresh();
    if (!this.#isGone) this.#signalKnown(signal);
  }

  async isGone(): Promise<boolean> {
    if (this.#isGone || this.#knownOneRuns()) return this.#isGone;
    await this.#refresh();
    // For processes that were started during the killing.
    if (this.#isKilled && !this.#isGone) this.#signalKnown('SIGKILL');
    return this.#isGone;
  }

  #knownOneRuns(): boolean {
    if (!this.#hasSnapshot) return false;
    return (
      this.hasLeader() ||
      [...this.#known.values()].some((facts) => currentFacts(facts) !== undefined)
    );
  }

  /** Finds the running processes. If processes cannot be listed, none counts as gone. */
  async #refresh(): Promise<void> {
    try {
      const table = await processTable(this.#root.start);
      const found = findMembers(table, this.#root, {
        known: this.#known,
        leadsGroup: this.#leadsGroup,
      });
      this.#known = stillRunning(found);
      this.#hasSnapshot = true;
      this.#leadsGroup &&= this.hasLeader() || this.#isKnownGroup(this.#root.pid);
      // A process that ended since the snapshot may have started another one.
      for (const pid of found.keys()) if (!this.#known.has(pid)) readAgain(pid);
      this.#isGone ||= !this.hasLeader() && [...found.keys()].every(isForeign);
    } catch {
      // No file can be opened just now. A known number may belong to another process by now.
      this.#known = stillRunning(this.#known);
    }
  }

  #isKnownGroup(leader: number): boolean {
    return [...this.#known.values()].some(({ group }) => group === leader);
  }

  #signalKnown(signal: StopSignal): void {
    // The number of the leader is not reused before its exit is reported.
    const groups = new Set(this.hasLeader() ? [this.#root.pid] : []);
    for (const facts of this.#known.values()) {
      if (this.#ownsGroupOf(facts)) groups.add(facts.group);
      else if (currentFacts(facts) !== undefined) signalProcess(facts.pid, signal);
    }
    for (const group of groups) signalGroup(group, signal);
  }

  /**
   * A group without foreign processes is signalled as a whole, which no process can evade by a fork. The group existed a
   * moment ago, even if the member that was found in it has ended.
   */
  #ownsGroupOf({ group, session }: ProcessFacts): boolean {
    if (group === this.#root.pid || this.#known.has(group)) return true;
    return session !== undefined && session !== this.#root.outerSession;
  }
}

type Processes = ReadonlyMap<number, ProcessFacts>;

/** The processes that may be signalled, with their current facts. */
function stillRunning(found: Processes): Processes {
  const running = [...found.values()].map(currentFacts).filter((facts) => facts !== undefined);
  return new Map(running.map((facts) => [facts.pid, facts]));
}

/** `undefined` if it has ended, its number was reused, or it belongs to another user. */
function currentFacts(seen: ProcessFacts): ProcessFacts | undefined {
  // Running `ps` for each process would take longer than the reuse of a number.
  const facts = hasProcFolder ? knownProcessFacts(seen.pid) : seen;
  if (facts === undefined || facts.start !== seen.start || facts.isZombie) return undefined;
  return maySignal(seen.pid) ? facts : undefined;
}

/** False if there is no such process, or it belongs to another user (macOS reports zombies like that, too). */
function maySignal(pid: number): boolean {
  return signalProcess(pid, 0);
}

/** Whether it belongs to another user, so that no signal can end it. */
function isForeign(pid: number): boolean {
  return isRunning(pid) && !maySignal(pid);
}

/** False if the signal did not reach the process. */
function signalProcess(pid: number, signal: StopSignal | 0): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid) return false;
  return send(pid, signal);
}

/** False if the group has no member that may be signalled. */
function signalGroup(leader: number, signal: StopSignal | 0): boolean {
  // 0 and 1 would mean the own group and all processes.
  if (!Number.isSafeInteger(leader) || leader <= 1) return false;
  return send(-leader, signal);
}

function send(target: number, signal: StopSignal | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH' && codeOf(thrown) !== 'EPERM';
  }
}

/** Windows has neither groups nor signals: stdin is closed first, then the tree is killed. */
class WindowsProcessTree implements ProcessTree {
  readonly #root: number;
  readonly #hasExited: () => boolean;

  constructor(root: number, hasExited: () => boolean) {
    this.#root = root;
    this.#hasExited = hasExited;
  }

  hasLeader(): boolean {
    return !this.#hasExited();
  }

  async signal(signal: StopSignal): Promise<void> {
    if (signal !== 'SIGKILL' || this.#hasExited()) return;
    spawn('taskkill', ['/T', '/F', '/PID', String(this.#root)], {
      stdio: 'ignore',
      windowsHide: true,
    }).on('error', () => {
      // Without taskkill the tree cannot be killed; the ladder gives up after its last wait.
    });
  }

  async isGone(): Promise<boolean> {
    return this.#hasExited();
  }
}
