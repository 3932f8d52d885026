// A started process together with whatever it started and left in its group. Knows how to signal
// all of them and whether any is left; when to do so is the ladder's business.

import { spawn } from 'node:child_process';
import { codeOf } from '@plugboard/base';
import { allProcessFacts, hasProcFolder, processFacts } from './process-facts.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

export interface ProcessGroup {
  /** Whether the process that was started is itself still there. */
  hasLeader(): boolean;
  signal(signal: StopSignal): void;
  /** True once nothing is left that a signal could stop. Stays true. */
  isGone(): boolean;
}

/** The group that `leader` leads. `leaderExited` tells whether the leader itself was collected. */
export function processGroup(leader: number, leaderExited: () => boolean): ProcessGroup {
  return process.platform === 'win32'
    ? new ProcessTree(leader, leaderExited)
    : new UnixProcessGroup(leader, leaderExited);
}

class UnixProcessGroup implements ProcessGroup {
  readonly #leader: number;
  readonly #leaderExited: () => boolean;
  /** Members last seen running: as long as one still runs, the whole table need not be read. */
  #running: readonly number[] = [];
  #gone = false;

  constructor(leader: number, leaderExited: () => boolean) {
    this.#leader = leader;
    this.#leaderExited = leaderExited;
  }

  hasLeader(): boolean {
    return !this.#leaderExited();
  }

  signal(signal: StopSignal): void {
    // Once the group is gone its number may be given to strangers.
    if (!this.isGone()) signalGroup(this.#leader, signal);
  }

  isGone(): boolean {
    this.#gone ||= this.#leaderExited() && !this.#hasRunningMember();
    return this.#gone;
  }

  #hasRunningMember(): boolean {
    if (!signalGroup(this.#leader, 0)) return false;
    if (!hasProcFolder) return true;
    try {
      return this.#findsRunningMember();
    } catch {
      // No file can be opened just now. The group has members, so it counts as running.
      return true;
    }
  }

  /** Where nobody collects orphans, the members that a group still has may all be zombies. */
  #findsRunningMember(): boolean {
    if (this.#running.some((pid) => this.#isRunningMember(pid))) return true;
    this.#running = allProcessFacts()
      .filter((facts) => facts.group === this.#leader && !facts.isZombie)
      .map((facts) => facts.pid);
    return this.#running.length > 0;
  }

  #isRunningMember(pid: number): boolean {
    const facts = processFacts(pid);
    return facts !== undefined && facts.group === this.#leader && !facts.isZombie;
  }
}

/** False when the group has no member that we may signal. */
export function signalGroup(leader: number, signal: StopSignal | 0): boolean {
  // 0 and 1 would mean our own group and every process there is.
  if (!Number.isSafeInteger(leader) || leader <= 1) return false;
  try {
    process.kill(-leader, signal);
    return true;
  } catch (thrown) {
    // EPERM: only members of other users are left (macOS says it of zombies too).
    return codeOf(thrown) !== 'ESRCH' && codeOf(thrown) !== 'EPERM';
  }
}

/** Windows has neither groups nor signals: the tree is asked by its closed stdin, then ended. */
class ProcessTree implements ProcessGroup {
  readonly #root: number;
  readonly #rootExited: () => boolean;

  constructor(root: number, rootExited: () => boolean) {
    this.#root = root;
    this.#rootExited = rootExited;
  }

  hasLeader(): boolean {
    return !this.#rootExited();
  }

  signal(signal: StopSignal): void {
    if (signal !== 'SIGKILL' || this.#rootExited()) return;
    spawn('taskkill', ['/T', '/F', '/PID', String(this.#root)], {
      stdio: 'ignore',
      windowsHide: true,
    }).on('error', () => {
      // Without taskkill the tree cannot be ended; the ladder gives up after its last wait.
    });
  }

  isGone(): boolean {
    return this.#rootExited();
  }
}
