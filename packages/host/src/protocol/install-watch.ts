// Extends the deadline of a server whose package is still being fetched: until the package runner has started the
// server, the deadline restarts, up to a limit, and the caller is notified.

import type { Clock, Deadline } from '@plugboard/base';

export const LONGEST_INSTALL_MS = 5 * 60_000;
const CHECK_MS = 1000;

export interface InstallWatchOptions {
  /** Returns the name of the package runner until it has started the server. */
  readonly installing: () => Promise<string | undefined>;
  readonly limit: Deadline;
  /** The time limit of the server after it was started. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onInstalling: ((runner: string | undefined) => void) | undefined;
}

export class InstallWatch implements Disposable {
  readonly #options: InstallWatchOptions;
  readonly #start: number;
  #timer: Disposable | undefined;
  #isDisposed = false;
  #runner: string | undefined;

  constructor(options: InstallWatchOptions) {
    this.#options = options;
    this.#start = options.clock.elapsed();
    this.#scheduleCheck();
  }

  /** The runner that had not started the server at the last check. */
  get runner(): string | undefined {
    return this.#runner;
  }

  get elapsedMs(): number {
    return Math.round(this.#options.clock.elapsed() - this.#start);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#timer?.[Symbol.dispose]();
  }

  #scheduleCheck(): void {
    const { clock, timeoutMs } = this.#options;
    this.#timer = clock.after(Math.min(CHECK_MS, timeoutMs / 2), () => void this.#check());
  }

  async #check(): Promise<void> {
    const { installing, limit, onInstalling } = this.#options;
    // If this cannot be determined, the server counts as started.
    const runner = await installing().catch(() => undefined);
    if (this.#isDisposed) return;
    if (runner !== this.#runner) onInstalling?.(runner);
    this.#runner = runner;
    if (runner !== undefined && this.elapsedMs < LONGEST_INSTALL_MS) limit.restart();
    this.#scheduleCheck();
  }
}
