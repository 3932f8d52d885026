// A thread that waits for its script. It has no environment, no streams, and a heap of its own.

import { Worker } from 'node:worker_threads';
import type { ScriptLimits } from './script.ts';
import { COUNTER, type FromThread, type ThreadData, type ToThread } from './thread-messages.ts';

// Node 20 cannot run TypeScript. `src` and `dist` are siblings, so the path is the same from both.
const PROGRAM = new URL('../dist/sandbox-worker.js', import.meta.url);

/** For the thread's own objects, such as messages and the type stripper; the engine's memory is separate. */
const HEAP_MB = 64;
/** Large enough that the engine reports a script that is too deep. */
const STACK_MB = 8;

export interface ThreadListener {
  onMessage(message: FromThread): void;
  /** The thread ended unexpectedly: its heap was full, or the sandbox has a bug. */
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

  /** Odd while the script's code runs, and different each time. */
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
