// What a program that runs in a background thread sees: what it was started with, the messages that are sent
// to it and the way back. It can look for messages between two pieces of work without waiting for them.

import { constants, setPriority } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CodedError } from '@plugboard/base';

export interface ThreadSide {
  readonly data: unknown;
  /** Buffers in `transfer` are moved, not copied. */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** A message that is there already. */
  take(): unknown;
  /** The next message, whenever it comes. */
  next(): Promise<unknown>;
}

export function threadSide(): ThreadSide {
  const port = parentPort;
  if (port === null) throw new CodedError('not-a-thread', 'runs in a thread only', { data: {} });
  const inbox: unknown[] = [];
  let wake: (() => void) | undefined;
  port.on('message', (message: unknown) => {
    inbox.push(message);
    wake?.();
  });
  const take = (): unknown =>
    inbox.length > 0 ? inbox.shift() : receiveMessageOnPort(port)?.message;
  return {
    data: workerData as unknown,
    post: (message, transfer = []) => port.postMessage(message, [...transfer]),
    take,
    async next() {
      for (;;) {
        const message = take();
        if (message !== undefined) return message;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/**
 * Lets everything else on the machine go first. On Linux a priority belongs to a thread and to those that it
 * starts from then on; elsewhere it would be the whole process that is slowed down, so nothing is done there.
 */
export function lowerThreadPriority(nice: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(nice);
  } catch {
    // A sandbox may forbid it. The work is done all the same.
  }
}
