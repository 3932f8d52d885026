// The other side of `side-pool.ts`: a program that runs as a separate process and does one job after another. It has a low
// priority, and ends when the process that started it ends.

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { CodedError, messageOf } from '@plugboard/base';
import { keepHeapSmall } from './give-back-memory.ts';
import { residentBytes } from './own-process.ts';

interface SideProgram {
  post(message: unknown): Promise<void>;
  /** Waits for the next message. */
  next(): Promise<unknown>;
}

export interface Job<Request> {
  readonly id: number;
  readonly request: Request;
}

export type JobEnd<Response> =
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly response: Response;
      readonly next: NextJob;
    }
  /** The process then ends, since its state is unknown. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** `elsewhere`: this process has grown too large, and only its end returns the memory of parsers and compilers. */
type NextJob = 'here' | 'elsewhere';

/** The memory that a process may use before another one replaces it. */
const MOST_BYTES = 190_000_000;

function sideProgram(): SideProgram {
  if (process.send === undefined) {
    throw new CodedError('not-a-side-process', 'runs beside another process only', { data: {} });
  }
  lowerPriority();
  keepHeapSmall();
  // An interrupt is meant for the parent process; this one ends with it.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  const inbox: unknown[] = [];
  let wake: (() => void) | undefined;
  process.on('message', (message) => {
    inbox.push(message);
    wake?.();
  });
  return {
    post: (message) =>
      new Promise((resolve) => {
        process.send?.(message, () => resolve());
      }),
    async next() {
      for (;;) {
        const message = inbox.shift();
        if (message !== undefined) return message;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Runs the jobs of a pool one after another. `work` receives the request of a job; the caller knows its type. */
export async function serveJobs(work: (request: unknown) => unknown): Promise<never> {
  const side = sideProgram();
  for (;;) {
    const { id, request } = (await side.next()) as Job<unknown>;
    try {
      const response = await work(request);
      const next = residentBytes() > MOST_BYTES ? 'elsewhere' : 'here';
      void side.post({ kind: 'done', id, response, next } satisfies JobEnd<unknown>);
    } catch (thrown) {
      await side.post({ kind: 'failed', id, message: messageOf(thrown) } satisfies JobEnd<unknown>);
      process.exit(1);
    }
  }
}

const LOW = constants.priority.PRIORITY_BELOW_NORMAL;

function lowerPriority(): void {
  try {
    setPriority(LOW);
    // On Linux a priority applies to a thread and to threads that it starts later; some have already started.
    if (process.platform !== 'linux') return;
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), LOW);
  } catch {
    // A sandbox may forbid it; the work is done anyway.
  }
}
