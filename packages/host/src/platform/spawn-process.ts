// Starts a program without a shell, in its own process group and with a mark in its environment, and stops it with all
// its descendants. The caller chooses the environment and uses the pipes.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import {
  type Clock,
  CodedError,
  delay,
  err,
  never,
  ok,
  type Result,
  stayAlive,
  systemClock,
} from '@plugboard/base';
import { diagnoseSpawnFailure, type SpawnFailure } from './spawn-failure.ts';
import type { ProcessLedger } from './process-ledger.ts';
import { markedEnvironment, newMark } from './process-mark.ts';
import { type ProcessTree, processTree } from './process-tree.ts';
import { launched, launchInSession, type Launch, sharesSession } from './session-launch.ts';
import type { SpawnSpec } from './spawn-spec.ts';
import { climbStopLadder } from './stop-ladder.ts';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface SpawnOptions {
  readonly clock?: Clock;
  readonly ledger?: ProcessLedger;
  /**
   * `host`: in the session of this process if possible, for a program with constant traffic. Otherwise in its own session.
   * Either way it leads its own group and has no terminal.
   */
  readonly session?: 'own' | 'host';
}

/** How long to wait for remaining output once all processes have ended. */
const DRAIN_MS = 40;
/** When to check again for processes that outlived the ladder; the pauses grow. */
const FIRST_CHECK_MS = 1000;
const LONGEST_CHECK_MS = 60_000;

/** How long, and how often, a program that is still open for writing is tried again. */
const BUSY_MS = 1000;
const BUSY_PAUSE_MS = 20;

export async function spawnProcess(
  spec: SpawnSpec,
  options: SpawnOptions = {},
): Promise<Result<RunningProcess, SpawnFailure>> {
  const { clock = systemClock } = options;
  const began = clock.elapsed();
  for (;;) {
    const started = await spawnOnce(spec, options);
    if (started.ok || !isBusy(started.error) || clock.elapsed() - began >= BUSY_MS) return started;
    await delay(BUSY_PAUSE_MS, clock, never);
  }
}

/**
 * Linux does not execute a file that any process has open for writing. A file that was just written stays open in each
 * process that was forked meanwhile and has not become its program yet, as terminals of an embedding program are.
 */
function isBusy(failure: SpawnFailure): boolean {
  return failure.kind === 'spawn-failed' && failure.code === 'ETXTBSY';
}

async function spawnOnce(
  spec: SpawnSpec,
  options: SpawnOptions,
): Promise<Result<RunningProcess, SpawnFailure>> {
  const mark = newMark();
  const marked = { ...spec, env: markedEnvironment(spec.env, mark) };
  if (options.session !== 'host' || !sharesSession(spec.env)) {
    return own(() => startDetached(marked), { spec, mark, options });
  }
  let launching: Promise<Launch> = Promise.resolve({ kind: 'started' });
  let release = (): void => {};
  const start = (): PipedProcess => {
    // Its first three descriptors are pipes.
    const child = launchInSession(marked) as PipedProcess;
    // A process that could not be started may have no pipes.
    if (child.pid === undefined) return child;
    launching = launched(child);
    release = holdOutput(child);
    return child;
  };
  const owned = await own(start, { spec, mark, options });
  if (!owned.ok) return owned;
  const launch = await launching;
  release();
  if (launch.kind === 'started') return owned;
  const exit = await owned.value.exited;
  // The launcher was killed, which counts as the end of the program.
  if (exit.signal !== null) return owned;
  await owned.value.stop();
  if (launch.kind === 'no-launcher') {
    return own(() => startDetached(marked), { spec, mark, options });
  }
  const { code } = launch;
  const refusal = new CodedError(code, `spawn ${spec.command} ${code}`, { data: undefined });
  return err(await diagnoseSpawnFailure(spec, refusal));
}

type PipedProcess = ChildProcessWithoutNullStreams;

/**
 * Keeps the output of a program until there is a reader. When a program exits, Node discards output without a reader, and
 * a program can exit before its launch is reported. A listener for `readable` prevents that.
 */
function holdOutput({ stdout, stderr }: PipedProcess): () => void {
  const hold = (): void => {};
  for (const pipe of [stdout, stderr]) pipe.on('readable', hold);
  return () => {
    for (const pipe of [stdout, stderr]) pipe.off('readable', hold);
  };
}

function startDetached({ command, args, env, cwd }: SpawnSpec): PipedProcess {
  return spawn(command, [...args], {
    env,
    cwd,
    stdio: 'pipe',
    shell: false,
    // On Windows this would open a console window, and there are no groups.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

async function own(
  start: () => PipedProcess,
  given: { readonly spec: SpawnSpec; readonly mark: string; readonly options: SpawnOptions },
): Promise<Result<RunningProcess, SpawnFailure>> {
  const { spec, mark, options } = given;
  try {
    findRoomForPipes();
    const child = start();
    const { pid } = child;
    if (pid !== undefined) return ok(new RunningProcess(child, { pid, mark }, options));
    const thrown = await new Promise<unknown>((resolve) => child.once('error', resolve));
    return err(await diagnoseSpawnFailure(spec, thrown));
  } catch (thrown) {
    return err(await diagnoseSpawnFailure(spec, thrown));
  }
}

/** Both ends of four pipes, and the files that the system opens while it starts a program. */
const FILES_OF_START = 12;

/** Throws if so many files cannot be opened: `spawn` would fail without closing those that it could open. */
function findRoomForPipes(): void {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_START) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

export class RunningProcess implements AsyncDisposable {
  readonly pid: number;
  /** Resolves when the process itself has exited; its descendants may still run. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  readonly #ledger: ProcessLedger | undefined;
  readonly #tree: ProcessTree;
  #clearing: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(
    child: ChildProcessWithoutNullStreams,
    { pid, mark }: { readonly pid: number; readonly mark: string },
    options: SpawnOptions,
  ) {
    this.pid = pid;
    this.#child = child;
    this.#clock = options.clock ?? systemClock;
    this.#ledger = options.ledger;
    this.#ledger?.record(pid, mark);
    const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
    this.#tree = processTree({ pid, mark, hasExited });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) {
      emitter.on('error', () => {
        // A pipe breaks when the other side ends, which `exited` reports.
      });
    }
    // A process that ends by itself may leave descendants behind.
    void this.exited.then(() => this.#clearTree());
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

  /** Stops it and its descendants by the stop ladder. Every call returns the same promise, which never rejects. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    await this.#clearTree();
    for (const pipe of this.#pipes()) pipe.destroy();
  }

  #clearTree(): Promise<void> {
    this.#clearing ??= this.#endTree();
    return this.#clearing;
  }

  async #endTree(): Promise<void> {
    using _ = stayAlive();
    await climbStopLadder({
      tree: this.#tree,
      closeStdin: () => void this.#child.stdin.end(),
      leaderExited: this.exited,
      clock: this.#clock,
    });
    await this.#forgetWhenGone(FIRST_CHECK_MS);
    await this.#waitForOutput();
    for (const pipe of this.#pipes()) unref(pipe);
  }

  /** A process that SIGKILL has not ended yet stays in the ledger until it is gone, or for the next host. */
  async #forgetWhenGone(checkAfterMs: number): Promise<void> {
    if (await this.#tree.isGone()) {
      this.#ledger?.forget(this.pid);
      return;
    }
    const next = Math.min(2 * checkAfterMs, LONGEST_CHECK_MS);
    this.#clock.after(checkAfterMs, () => void this.#forgetWhenGone(next));
  }

  /** Bounded, since an escaped process may keep the other end of a pipe open forever. */
  async #waitForOutput(): Promise<void> {
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
