// The embedder that needs only this package: the shipped model in a process of its own. It owns that process, ends it
// when idle, starts it again at the next request, or once if it dies, and returns each job's vectors to its caller.

import { type Clock, CodedError, never, systemClock } from '@plugboard/base';
import {
  processorCount,
  type SideEnd,
  type SideProcess,
  startSideProcess,
  type StartSide,
} from '../platform/index.ts';
import type { Embedder } from './embedder.ts';
import type { Job, Purpose, SettledJob } from './embedding-queue.ts';
import type { FailedEngine } from './engine.ts';
import type { ModelManifest } from './model-files.ts';
import { ENGINE_NAMES, type EngineName } from './onnx-engines.ts';
import { POOLING_VERSION } from './pooling.ts';
import type { FromWorker, ToWorker, WorkerReport, WorkerStart } from './worker-messages.ts';

export interface EmbeddedOptions {
  readonly folder: string;
  readonly manifest: ModelManifest;
  /** Which engines to try, in their order. */
  readonly engines?: readonly EngineName[] | undefined;
  readonly threads?: number | undefined;
  readonly startSide?: StartSide | undefined;
  readonly clock?: Clock | undefined;
}

export interface OpenedModel {
  readonly kind: 'open';
  readonly embedder: Embedder;
  /** The engines before the one that is used. */
  readonly failed: readonly FailedEngine[];
}

interface PendingJob {
  readonly job: Job;
  readonly resolve: (vectors: Float32Array) => void;
  readonly reject: (reason: Error) => void;
}

type State =
  | { readonly kind: 'running'; readonly side: SideProcess; idle: Disposable | undefined }
  /** It was idle for a while; the next request starts it again. */
  | { readonly kind: 'asleep' }
  /** `gone` resolves when nothing of it is left. */
  | { readonly kind: 'over'; readonly why: CodedError; readonly gone: Promise<void> };

type RunningState = Extract<State, { readonly kind: 'running' }>;

/** One that is left over is enough for the program; more than two are not worth what they take from others. */
const MOST_THREADS = 2;
const MOST_RESTARTS = 1;
/** It takes more than 100 MB, and under a second to be there again. */
const SLEEPS_AFTER_MS = 60_000;
// `src` and `dist` lie side by side, so the way out and back in is the same from both.
const PROGRAM = new URL('../../dist/embed/embedding-worker.js', import.meta.url);

/** Starts the process. Where it cannot work, the answer is its report and nothing is left running. */
export async function openEmbedded(
  options: EmbeddedOptions,
): Promise<OpenedModel | Exclude<WorkerReport, { kind: 'ready' }>> {
  const embedder = new EmbeddedEmbedder(options);
  const report = await embedder.opened;
  if (report.kind === 'ready') return { kind: 'open', embedder, failed: report.failed };
  await embedder.close();
  return report;
}

class EmbeddedEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  /** The first report of a process; one that dies before it is reported as having no engine. */
  readonly opened: Promise<WorkerReport>;
  readonly #options: EmbeddedOptions;
  readonly #waiting = new Map<number, PendingJob>();
  #report: (report: WorkerReport) => void = () => {};
  #state: State;
  #runtime = 'not started';
  #lastId = 0;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.id = `${options.manifest.model.sha256.slice(0, 16)}-${POOLING_VERSION}`;
    this.dimensions = options.manifest.dimensions;
    this.opened = new Promise((resolve) => {
      this.#report = resolve;
    });
    // Held: the caller that opens it waits for the report.
    this.#state = this.#start(0);
    this.#state.side.hold();
  }

  get runtime(): string {
    return this.#runtime;
  }

  async embedQuery(text: string, signal: AbortSignal = never): Promise<Float32Array> {
    return this.#embed('query', [text], signal);
  }

  async embedDocuments(
    texts: readonly string[],
    signal: AbortSignal = never,
  ): Promise<readonly Float32Array[]> {
    if (texts.length === 0) return [];
    const vectors = await this.#embed('document', texts, signal);
    const { dimensions } = this;
    // Copies, so that one that is kept does not keep all others.
    return texts.map((_, index) => vectors.slice(index * dimensions, (index + 1) * dimensions));
  }

  async close(): Promise<void> {
    this.#end(new CodedError('embedder-closed', 'the embedder was closed', { data: {} }));
    if (this.#state.kind === 'over') await this.#state.gone;
  }

  async #embed(
    purpose: Purpose,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array> {
    signal.throwIfAborted();
    const { side } = this.#awake();
    this.#lastId += 1;
    const job: Job = { id: this.#lastId, purpose, texts };
    const vectors = new Promise<Float32Array>((resolve, reject) => {
      this.#waiting.set(job.id, { job, resolve, reject });
    });
    const giveUp = (): void => this.#giveUp(job.id, signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    side.hold();
    side.post({ kind: 'embed', job } satisfies ToWorker);
    try {
      return await vectors;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#restIfIdle();
    }
  }

  #giveUp(id: number, reason: Error): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#state.kind === 'running') {
      this.#state.side.post({ kind: 'cancel', id } satisfies ToWorker);
    }
    waiting?.reject(reason);
  }

  #restIfIdle(): void {
    const state = this.#state;
    if (this.#waiting.size > 0 || state.kind !== 'running') return;
    state.side.rest();
    state.idle?.[Symbol.dispose]();
    const { clock = systemClock } = this.#options;
    state.idle = clock.after(SLEEPS_AFTER_MS, () => this.#sleep());
  }

  #sleep(): void {
    if (this.#waiting.size > 0 || this.#state.kind !== 'running') return;
    const { side } = this.#state;
    this.#state = { kind: 'asleep' };
    void side.stop();
  }

  #awake(): RunningState {
    if (this.#state.kind === 'over') throw this.#state.why;
    if (this.#state.kind === 'asleep') this.#state = this.#start(0);
    this.#state.idle?.[Symbol.dispose]();
    return this.#state;
  }

  #start(restarts: number): RunningState {
    const { folder, manifest, engines = ENGINE_NAMES, threads = defaultThreads() } = this.#options;
    const start = this.#options.startSide ?? startSideProcess;
    const side = start({
      program: PROGRAM,
      onMessage: (message) => this.#hear(message as FromWorker),
    });
    side.post({ folder, manifest, engines, threads } satisfies WorkerStart);
    void side.ended.then((end) => this.#onEnd(side, end, restarts));
    return { kind: 'running', side, idle: undefined };
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'settled') {
      for (const job of message.jobs) this.#settle(job);
      return;
    }
    this.#report(message);
    if (message.kind !== 'ready') {
      // Also when it had worked before it was started again: what waits must hear of it.
      this.#end(crashed(message.kind === 'no-model' ? message.problem : 'no engine runs it'));
      return;
    }
    this.#runtime = message.runtime;
    this.#restIfIdle();
  }

  #settle(settled: SettledJob): void {
    // One that was given up in the meantime is no longer there.
    const waiting = this.#waiting.get(settled.id);
    this.#waiting.delete(settled.id);
    if (settled.kind === 'done') waiting?.resolve(settled.vectors);
    else waiting?.reject(crashed(settled.message));
  }

  #onEnd(side: SideProcess, end: SideEnd, restarts: number): void {
    if (this.#state.kind !== 'running' || this.#state.side !== side) return;
    if (restarts >= MOST_RESTARTS) {
      this.#end(crashed(describeEnd(end)));
      return;
    }
    this.#state.idle?.[Symbol.dispose]();
    const next = this.#start(restarts + 1);
    this.#state = next;
    if (this.#waiting.size > 0) next.side.hold();
    for (const { job } of this.#waiting.values()) {
      next.side.post({ kind: 'embed', job } satisfies ToWorker);
    }
  }

  #end(why: CodedError): void {
    if (this.#state.kind === 'over') return;
    const gone = this.#state.kind === 'running' ? this.#state.side.stop() : Promise.resolve();
    if (this.#state.kind === 'running') this.#state.idle?.[Symbol.dispose]();
    this.#state = { kind: 'over', why, gone };
    this.#report({ kind: 'no-engine', failed: [{ engine: 'process', message: why.message }] });
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(why);
  }
}

function defaultThreads(): number {
  return Math.max(1, Math.min(MOST_THREADS, processorCount()));
}

function crashed(message: string): CodedError {
  return new CodedError('embedder-crashed', `the embedded model stopped working: ${message}`, {
    data: {},
  });
}

function describeEnd(end: SideEnd): string {
  return end.kind === 'failed' ? end.message : `its process exited with code ${end.code}`;
}
