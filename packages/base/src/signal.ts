// Cancellable waiting: every function here takes a signal and leaves no listener or timer behind.

import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.ts';
import { CodedError } from './coded-error.ts';
import type { CancelSignal } from './request-signal.ts';

/** The reason of a signal that a deadline aborted. */
export class DeadlineExceeded extends CodedError<'deadline-exceeded', { readonly ms: number }> {
  constructor(ms: number) {
    super('deadline-exceeded', `took longer than ${ms} ms`, { data: { ms } });
  }
}

/** A signal that never aborts, for callers of the public API that pass none. */
export const never: AbortSignal = shared(new AbortController().signal);

/** Marks a signal as shared by many listeners; otherwise Node would warn of a leak. */
export function shared(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/** Settles as `promise` does, unless `signal` aborts first: then it rejects with the signal's reason. */
export async function abortable<T>(promise: Promise<T>, signal: CancelSignal): Promise<T> {
  if (signal.aborted) {
    // Nothing awaits the promise any more, so its rejection must not count as unhandled.
    promise.catch(() => {});
    throw signal.reason;
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      const reason = signal.reason as Error;
      reject(reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

/** Waits `ms` on `clock`, or rejects with the signal's reason. */
export async function delay(ms: number, clock: Clock, signal: CancelSignal): Promise<void> {
  let timer: Disposable | undefined;
  try {
    const elapsed = new Promise<void>((resolve) => {
      timer = clock.after(ms, resolve);
    });
    await abortable(elapsed, signal);
  } finally {
    timer?.[Symbol.dispose]();
  }
}

export interface Deadline extends Disposable {
  /** Aborts with `DeadlineExceeded` when time is up, or with the parent's reason when that aborts first. */
  readonly signal: AbortSignal;
  /** Starts the time again, for example when the other side reports progress. */
  restart(): void;
}

/** A signal that follows `parent` and aborts by itself after `ms`. Dispose it when the work is done. */
export function deadline(ms: number, clock: Clock, parent: CancelSignal): Deadline {
  const controller = new AbortController();
  let timer: Disposable | undefined;
  const rest = (): void => {
    timer?.[Symbol.dispose]();
    timer = undefined;
    parent.removeEventListener('abort', follow);
  };
  const end = (reason: unknown): void => {
    rest();
    controller.abort(reason);
  };
  const expire = (): void => end(new DeadlineExceeded(ms));
  const follow = (): void => end(parent.reason);
  if (parent.aborted) {
    follow();
  } else {
    parent.addEventListener('abort', follow, { once: true });
    timer = clock.after(ms, expire);
  }
  return {
    signal: controller.signal,
    restart() {
      if (timer === undefined) return;
      timer[Symbol.dispose]();
      timer = clock.after(ms, expire);
    },
    [Symbol.dispose]: rest,
  };
}
