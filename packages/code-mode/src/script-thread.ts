// A thread that waits for its script, with nothing of the process: no environment, no streams, its own heap.

import { Worker } from 'node:worker_threads';
import type { ScriptLimits } from './script.ts';
import { COUNTER, type FromThread, type ThreadData, type ToThread } from './thread-messages.ts';

// Node 20 cannot run TypeScript. `src` and `dist` lie side by side, so the way is the same from both.
const PROGRAM = new URL('../dist/sandbox-worker.js', import.meta.url);

/** Of the thread's own objects: messages on their way, and what strips types. The engine's memory is not in it. */
const HEAP_MB = 64;
/** Enough for the engine to notice by itself that a script is too deep. */
const STACK_MB = 8;

export interface ThreadListener {
  onMessage(message: FromThread): void;
  /** It ended by itself, which only a full heap or a fault of ours can cause. */
  onExit(cause: unknown): void;
}

export class ScriptThread {
  readonly #worker: Worker;
  readonly #counters = new Int32Array(
    new SharedArrayBuffer(Object.keys(COUNTER).length * Int32Array.BYTES_PER_ELEMENT),
  );
  #listener: ThreadListener | undefined;
  #hasExited = false;

  constructor(engine: object, limits: ScriptLimits) {
    const workerData: ThreadData = { engine, limits, counters: this.#counters };
    this.#worker = new Worker(PROGRAM, {
      workerData,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#listener?.onMessage(message));
    let cause: unknown;
    // `exit` follows.
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      this.#hasExited = true;
      this.#listener?.onExit(cause);
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Odd while the script's code runs, and another number each time it does. */
  get turn(): number {
    return Atomics.load(this.#counters, COUNTER.turns);
  }

  get droppedLines(): number {
    return Atomics.load(this.#counters, COUNTER.droppedLines);
  }

  listen(listener: ThreadListener): void {
    this.#listener = listener;
    this.#worker.ref();
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message, []);
  }

  async terminate(): Promise<void> {
    this.#listener = undefined;
    await this.#worker.terminate();
  }
}
