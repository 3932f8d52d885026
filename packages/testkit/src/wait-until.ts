// Waiting in tests for what only the outside world can bring about (a process that ends, a file that
// appears). Polls on real time; where an event or a promise exists, await that instead.

import { CodedError } from '@plugboard/base';
import { WAIT_MS } from './bounds.ts';

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** What is waited for, as it should read in the failure: "the server to end". */
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
