// Runs scripts, each in a new thread with a new engine. A spare thread waits for the next script, since starting one
// takes longer than most scripts. Limits belong to the sandbox, because the spare engine already has them.

import { type Clock, never, systemClock } from '@plugboard/base';
import { compileEngine } from './engine.ts';
import {
  DEFAULT_LIMITS,
  type ScriptLimits,
  type ScriptOptions,
  type ScriptOutcome,
} from './script.ts';
import { ScriptRun } from './script-run.ts';
import { ScriptThread } from './script-thread.ts';

export interface SandboxOptions {
  readonly limits?: Partial<ScriptLimits>;
  readonly clock?: Clock;
}

export class Sandbox implements AsyncDisposable {
  readonly limits: ScriptLimits;
  readonly #clock: Clock;
  #spare: Promise<ScriptThread> | undefined;
  readonly #closing = new AbortController();
  readonly #runs = new Set<Promise<ScriptOutcome>>();

  constructor({ limits = {}, clock = systemClock }: SandboxOptions = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.#clock = clock;
  }

  /** Starts the spare thread for the next script. Every run does so for the next one. */
  async warm(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#spare ??= this.#start();
    await this.#spare;
  }

  async run(code: string, options: ScriptOptions): Promise<ScriptOutcome> {
    const thread = await this.#take();
    const { signal: given = never } = options;
    const signal = AbortSignal.any([this.#closing.signal, given]);
    const context = { thread, limits: this.limits, clock: this.#clock };
    const run = new ScriptRun({ ...options, signal }, context).run(code);
    this.#runs.add(run);
    const outcome = await run;
    this.#runs.delete(run);
    void this.warm();
    return outcome;
  }

  /** Cancels running scripts and ends all threads. */
  async close(): Promise<void> {
    this.#closing.abort();
    const spare = this.#spare;
    this.#spare = undefined;
    await (await spare)?.terminate();
    await Promise.all(this.#runs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #take(): Promise<ScriptThread> {
    const spare = this.#spare;
    this.#spare = undefined;
    const thread = await spare;
    return thread === undefined || thread.hasExited ? this.#start() : thread;
  }

  async #start(): Promise<ScriptThread> {
    return new ScriptThread(await compileEngine(this.limits.memoryBytes), this.limits);
  }
}
