// Starts a thread that runs one program of this package, and tells how it ended. What is said to it and what it
// answers is the caller's business; so is stopping it.

import { Worker } from 'node:worker_threads';
import { messageOf } from '@plugboard/base';

export interface ThreadStart {
  /** A JavaScript file: Node 20 cannot run TypeScript in a thread. */
  readonly program: URL;
  readonly data: unknown;
  readonly onMessage: (message: unknown) => void;
  /** How much its engine may make before it looks for what is garbage; small keeps large buffers from piling up. */
  readonly youngHeapMegabytes?: number;
}

export type ThreadEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'failed'; readonly message: string };

export interface BackgroundThread {
  post(message: unknown): void;
  /** Keeps the process alive from now on. A thread that was just started does not. */
  hold(): void;
  /** No longer keeps the process alive. */
  rest(): void;
  /** Ends it wherever it is; resolves when it is gone. */
  stop(): Promise<void>;
  /** Resolves when it is gone, stopped or not. */
  readonly ended: Promise<ThreadEnd>;
}

export type StartThread = (start: ThreadStart) => BackgroundThread;

export const startBackgroundThread: StartThread = (start) => {
  // Its output is kept from ours, which may be a protocol's, and is not read: that would keep the process alive.
  // Flags and variables are those of the program around us, and none of its business.
  const worker = new Worker(start.program, {
    workerData: start.data,
    execArgv: [],
    env: {},
    stdout: true,
    ...(start.youngHeapMegabytes !== undefined && {
      resourceLimits: { maxYoungGenerationSizeMb: start.youngHeapMegabytes },
    }),
  });
  worker.unref();
  worker.on('message', start.onMessage);
  const ended = new Promise<ThreadEnd>((resolve) => {
    worker.once('error', (error) => resolve({ kind: 'failed', message: messageOf(error) }));
    worker.once('exit', (code) => resolve({ kind: 'exited', code }));
  });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    post: (message) => worker.postMessage(message),
    hold: () => worker.ref(),
    rest: () => worker.unref(),
    async stop() {
      await worker.terminate();
    },
    ended,
  };
};
