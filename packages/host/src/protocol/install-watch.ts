// Extends the deadline of a server whose package is still being fetched: until the package runner has started
// the server, the deadline restarts, up to a bound, and the caller is told.

import type { Clock, Deadline } from '@plugboard/base';

export const LONGEST_INSTALL_MS = 5 * 60_000;
const LOOK_MS = 1000;

export interface InstallWatchOptions {
  /** The name of the runner, until it has started the server. */
  readonly installing: () => Promise<string | undefined>;
  readonly limit: Deadline;
  /** How long the server has once it was started. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onInstalling: ((runner: string | undefined) => void) | undefined;
}

export class InstallWatch implements Disposable {
  readonly #options: InstallWatchOptions;
  readonly #start: number;
  #timer: Disposable | undefined;
  #isOver = false;
  #runner: string | undefined;

  constructor(options: InstallWatchOptions) {
    this.#options = options;
    this.#start = options.clock.elapsed();
    this.#lookLater();
  }

  /** The runner that had not started the server at the last check. */
  get runner(): string | undefined {
    return this.#runner;
  }

  get elapsedMs(): number {
    return Math.round(this.#options.clock.elapsed() - this.#start);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }

  #lookLater(): void {
    const { clock, timeoutMs } = this.#options;
    this.#timer = clock.after(Math.min(LOOK_MS, timeoutMs / 2), () => void this.#look());
  }

  async #look(): Promise<void> {
    const { installing, limit, onInstalling } = this.#options;
    // If this cannot be determined, the server counts as started.
    const runner = await installing().catch(() => undefined);
    if (this.#isOver) return;
    if (runner !== this.#runner) onInstalling?.(runner);
    this.#runner = runner;
    if (runner !== undefined && this.elapsedMs < LONGEST_INSTALL_MS) limit.restart();
    this.#lookLater();
  }
}
