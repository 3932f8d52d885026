// The port to time. Everything that waits or reads the time takes a `Clock`, so that tests can control it. Only this file
// uses the runtime's clock and timers.

/** Milliseconds since the epoch. */
export type Instant = number;

export interface Clock {
  /** Wall-clock time, for dates that are shown or stored. It may jump. */
  now(): Instant;
  /** Monotonic milliseconds, to measure durations. */
  elapsed(): number;
  /** Runs `task` once after `ms`. Disposing the timer cancels it. It never keeps the process alive. */
  after(ms: number, task: () => void): Disposable;
}

/** The longest delay that a Node timer accepts; a longer one would fire at once. */
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

/** Keeps the process alive until disposed, which timers of a clock do not: for a pause during which nothing else may be open. */
export function stayAlive(): Disposable {
  const timer = setInterval(() => {}, LONGEST_DELAY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Runs `task` at the end of this turn of the event loop. */
export function atTurnEnd(task: () => void): void {
  setImmediate(task);
}
