// The other side of `side-pool.ts`: a program that runs as a separate process and does one job after another. It has
// the lowest priority on the machine, and ends when the process that started it is gone.

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { CodedError, messageOf } from '@plugboard/base';
import { keepHeapSmall } from './give-back-memory.ts';
import { residentBytes } from './own-process.ts';

interface SideProgram {
  post(message: unknown): Promise<void>;
  /** The next message, whenever it comes. */
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
  /** The process ends after it, since its state is unknown. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** `elsewhere`: this process has grown, and the memory of parsers and compilers returns to the system only when it ends. */
type NextJob = 'here' | 'elsewhere';

/** What a process may take before another one takes its place. */
const MOST_BYTES = 190_000_000;

function sideProgram(): SideProgram {
  if (process.send === undefined) {
    throw new CodedError('not-a-side-process', 'runs beside another process only', { data: {} });
  }
  lowerPriority();
  keepHeapSmall();
  // A person who interrupts the program around us does not mean us; we go when it goes.
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

/** Answers one job of a pool after the other. `work` is handed what the pool was; the caller knows its type. */
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
    // On Linux a priority belongs to a thread, and to those that it starts from then on; some have started already.
    if (process.platform !== 'linux') return;
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), LOW);
  } catch {
    // A sandbox may forbid it. The work is done all the same.
  }
}
