// Time as a port. Everything that waits or reads the time takes a `Clock`, so that tests move time
// by hand. This file is the only one that touches the runtime's clock and timers.

/** Milliseconds since the epoch. */
export type Instant = number;

export interface Clock {
  /** Wall time, for dates that are shown or stored. It may jump. */
  now(): Instant;
  /** Milliseconds that never run backwards, for measuring how long something took. */
  elapsed(): number;
  /** Runs `task` once after `ms`. Disposing the timer cancels it. It never keeps the process alive. */
  after(ms: number, task: () => void): Disposable;
}

/** The longest delay a Node timer takes; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(Math.max(0, ms), LONGEST_DELAY_MS));
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/**
 * Keeps the process alive until disposed, which no timer of a clock does: for a pause in work that somebody waits for, where
 * nothing else may be open.
 */
export function stayAlive(): Disposable {
  const timer = setInterval(() => {}, LONGEST_DELAY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Runs `task` when everything else is done that this turn of the event loop brought. Time plays no part. */
export function atTurnEnd(task: () => void): void {
  setImmediate(task);
}
