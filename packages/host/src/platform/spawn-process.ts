// Starts a program without a shell, in a process group of its own, and stops all of that group.
// What is said over its pipes, and which environment it is given, is the caller's business.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Clock, err, ok, type Result, systemClock } from '@plugboard/base';
import { diagnoseSpawnFailure, type SpawnFailure, type SpawnSpec } from './spawn-failure.ts';
import { type ProcessGroup, processGroup } from './process-group.ts';
import type { ProcessLedger } from './process-ledger.ts';
import { stayAlive } from './stay-alive.ts';
import { climbStopLadder } from './stop-ladder.ts';

export type { SpawnFailure, SpawnSpec } from './spawn-failure.ts';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process itself exited; what it started may still be on its way out. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Stops the whole group by the stop ladder. Every call gets the same promise; it never rejects. */
  stop(): Promise<void>;
}

export interface SpawnOptions {
  readonly clock?: Clock;
  readonly ledger?: ProcessLedger;
}

/** How long the last output may take to arrive once the whole group is gone. */
const DRAIN_MS = 40;
/** When to look again for a group that outlived the ladder; the pauses grow. */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 60_000;

export async function spawnProcess(
  spec: SpawnSpec,
  options: SpawnOptions = {},
): Promise<Result<RunningProcess, SpawnFailure>> {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(spec.command, [...spec.args], {
      env: { ...spec.env },
      cwd: spec.cwd,
      stdio: 'pipe',
      shell: false,
      // On Windows this would open a console window, and there are no groups to gain.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (thrown) {
    return err(await diagnoseSpawnFailure(spec, thrown));
  }
  if (child.pid === undefined) {
    const thrown = await new Promise<unknown>((resolve) => child.once('error', resolve));
    return err(await diagnoseSpawnFailure(spec, thrown));
  }
  return ok(new OwnedProcess(child, child.pid, options));
}

class OwnedProcess implements RunningProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  readonly #ledger: ProcessLedger | undefined;
  #clearing: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, pid: number, options: SpawnOptions) {
    this.pid = pid;
    this.#child = child;
    this.#clock = options.clock ?? systemClock;
    this.#ledger = options.ledger;
    this.#ledger?.record(pid);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) {
      emitter.on('error', () => {
        // A pipe breaks when the other side leaves; `exited` tells about that.
      });
    }
    // One that leaves by itself may leave others behind.
    void this.exited.then(() => this.#clearGroup());
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  get stderr(): Readable {
    return this.#child.stderr;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    await this.#clearGroup();
    for (const pipe of this.#pipes()) pipe.destroy();
  }

  #clearGroup(): Promise<void> {
    this.#clearing ??= this.#climb();
    return this.#clearing;
  }

  async #climb(): Promise<void> {
    const child = this.#child;
    const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
    const group = processGroup(this.pid, hasExited);
    using _ = stayAlive();
    await climbStopLadder({
      group,
      closeStdin: () => void child.stdin.end(),
      leaderExited: this.exited,
      clock: this.#clock,
    });
    this.#forgetOnceGone(group, FIRST_LOOK_MS);
    await this.#drained();
    for (const pipe of this.#pipes()) unref(pipe);
  }

  /** What even SIGKILL has not ended yet stays in the ledger until it is gone, or for the next start to look at. */
  #forgetOnceGone(group: ProcessGroup, lookAfterMs: number): void {
    if (group.isGone()) {
      this.#ledger?.forget(this.pid);
      return;
    }
    const next = Math.min(2 * lookAfterMs, LONGEST_LOOK_MS);
    this.#clock.after(lookAfterMs, () => this.#forgetOnceGone(group, next));
  }

  /** Someone outside the group may hold the other end of a pipe for ever, hence the bound. */
  async #drained(): Promise<void> {
    const open = [this.#child.stdout, this.#child.stderr].filter((pipe) => !pipe.closed);
    if (open.length === 0) return;
    let timer: Disposable | undefined;
    await Promise.race([
      Promise.all(open.map((pipe) => new Promise((resolve) => pipe.once('close', resolve)))),
      new Promise<void>((resolve) => {
        timer = this.#clock.after(DRAIN_MS, resolve);
      }),
    ]);
    timer?.[Symbol.dispose]();
  }

  #pipes(): readonly (Readable | Writable)[] {
    return [this.#child.stdin, this.#child.stdout, this.#child.stderr];
  }
}

function unref(pipe: Readable | Writable): void {
  // Node's pipes are sockets, though their declared types do not say so.
  (pipe as { unref?: () => void }).unref?.();
}
