// A started process together with all that it started, wherever that went: its group, what has its mark, their children,
// the sessions that they began, and what holds its pipes. Knows how to signal all of them and whether any is left; when
// to do so is the ladder's business.

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
  /** Whether the process that was started is itself still there. */
  hasLeader(): boolean;
  signal(signal: StopSignal): Promise<void>;
  /** True once nothing is left that a signal could stop. Stays true. */
  isGone(): Promise<boolean>;
}

export interface Leader {
  /** It leads its own group. */
  readonly pid: number;
  readonly mark: string;
  /** Whether it was collected. */
  readonly hasExited: () => boolean;
}

/** Call it as soon as the leader has been started: what it is known by is looked up now. */
export function processTree({ pid, mark, hasExited }: Leader): ProcessTree {
  if (process.platform === 'win32') return new WindowsProcessTree(pid, hasExited);
  const root = {
    pid,
    // Only where it costs nothing: `ps` is a process of its own.
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

/** How many processes one and its descendants are; `undefined` where the system does not tell. */
export async function processCount(pid: number): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    // Signs of strangers are not wanted.
    return countWithDescendants(await processTable(Number.POSITIVE_INFINITY), pid);
  } catch {
    // The machine cannot be asked.
    return undefined;
  }
}

class UnixProcessTree implements ProcessTree {
  readonly #root: TreeRoot;
  readonly #hasExited: () => boolean;
  /** What the last look found, by number. As long as one of them runs, no other look is needed. */
  #known: Processes = new Map();
  #hasLooked = false;
  /** Once its group was empty, its number may be given to strangers. */
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
    await this.#look();
    if (!this.#isGone) this.#send(signal);
  }

  async isGone(): Promise<boolean> {
    if (this.#isGone || this.#knownOneRuns()) return this.#isGone;
    await this.#look();
    // Those that were started while the others were being killed.
    if (this.#isKilled && !this.#isGone) this.#send('SIGKILL');
    return this.#isGone;
  }

  #knownOneRuns(): boolean {
    if (!this.#hasLooked) return false;
    return (
      this.hasLeader() || [...this.#known.values()].some((facts) => asItIsNow(facts) !== undefined)
    );
  }

  /** Finds what runs now. When the machine cannot be asked, nothing counts as gone. */
  async #look(): Promise<void> {
    try {
      const table = await processTable(this.#root.start);
      const found = findMembers(table, this.#root, {
        known: this.#known,
        leadsGroup: this.#leadsGroup,
      });
      this.#known = stillRunning(found);
      this.#hasLooked = true;
      this.#leadsGroup &&= this.hasLeader() || this.#isKnownGroup(this.#root.pid);
      // One that ended since the look may have started another one after it.
      for (const pid of found.keys()) if (!this.#known.has(pid)) readAgain(pid);
      this.#isGone ||= !this.hasLeader() && [...found.keys()].every(isForeign);
    } catch {
      // No file can be opened just now. What was known may by now be something else.
      this.#known = stillRunning(this.#known);
    }
  }

  #isKnownGroup(leader: number): boolean {
    return [...this.#known.values()].some(({ group }) => group === leader);
  }

  #send(signal: StopSignal): void {
    // Its number is its own until it is collected.
    const groups = new Set(this.hasLeader() ? [this.#root.pid] : []);
    for (const facts of this.#known.values()) {
      if (this.#ownsGroupOf(facts)) groups.add(facts.group);
      else if (asItIsNow(facts) !== undefined) signalProcess(facts.pid, signal);
    }
    for (const group of groups) signalGroup(group, signal);
  }

  /**
   * A group that no stranger can be in is signalled as a whole. No process can evade that by a fork, and the group was
   * seen a moment ago, whatever became of the member that was seen in it.
   */
  #ownsGroupOf({ group, session }: ProcessFacts): boolean {
    if (group === this.#root.pid || this.#known.has(group)) return true;
    return session !== undefined && session !== this.#root.outerSession;
  }
}

type Processes = ReadonlyMap<number, ProcessFacts>;

/** Those that may be signalled, as they are now. */
function stillRunning(found: Processes): Processes {
  const running = [...found.values()].map(asItIsNow).filter((facts) => facts !== undefined);
  return new Map(running.map((facts) => [facts.pid, facts]));
}

/** `undefined` when it has ended, another process has its number, or it is another user's. */
function asItIsNow(seen: ProcessFacts): ProcessFacts | undefined {
  // To ask `ps` about each would take longer than the time in which a number could be used again.
  const facts = hasProcFolder ? knownProcessFacts(seen.pid) : seen;
  if (facts === undefined || facts.start !== seen.start || facts.isZombie) return undefined;
  return maySignal(seen.pid) ? facts : undefined;
}

/** False when there is no such process, or it is another user's (macOS says so of zombies too). */
function maySignal(pid: number): boolean {
  return signalProcess(pid, 0);
}

/** Another user's, which no signal of ours can end. */
function isForeign(pid: number): boolean {
  return isRunning(pid) && !maySignal(pid);
}

/** False when it did not reach the process. */
function signalProcess(pid: number, signal: StopSignal | 0): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid) return false;
  return send(pid, signal);
}

/** False when the group has no member that we may signal. */
function signalGroup(leader: number, signal: StopSignal | 0): boolean {
  // 0 and 1 would mean our own group and every process there is.
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

/** Windows has neither groups nor signals: the tree is asked by its closed stdin, then ended. */
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
      // Without taskkill the tree cannot be ended; the ladder gives up after its last wait.
    });
  }

  async isGone(): Promise<boolean> {
    return this.#hasExited();
  }
}
