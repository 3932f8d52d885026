// Waits in tests for a condition of the outside world, such as a process that ends or a file that appears. It polls in
// real time; await an event or a promise instead if there is one.

import { CodedError } from '@plugboard/base';
import { WAIT_MS } from './bounds.ts';

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** The condition, in the words of the failure: "the server to end". */
  readonly describe: string | (() => string);
}

const POLL_MS = 10;

/** Resolves with the first value of `condition` that is neither `false` nor `undefined`. */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | undefined>> {
  const timeoutMs = options.timeoutMs ?? WAIT_MS;
  const start = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (performance.now() - start >= timeoutMs) throw gaveUp(options.describe, timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function gaveUp(describe: WaitOptions['describe'], timeoutMs: number): CodedError {
  const what = typeof describe === 'string' ? describe : describe();
  return new CodedError('wait-timed-out', `waited ${timeoutMs} ms in vain for ${what}`, {
    data: { timeoutMs, what },
  });
}
