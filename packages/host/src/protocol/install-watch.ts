// A server whose package is still being fetched has not had its time to answer yet. While the package runner has not
// started it, the deadline begins again and again, up to a bound; whoever waits is told.

import type { Clock, Deadline } from '@plugboard/base';

export const LONGEST_INSTALL_MS = 5 * 60_000;
const LOOK_MS = 1000;

export interface InstallWatchOptions {
  /** The name of the runner, while it has not started the server. */
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

  /** The runner that was still at it when it was looked at last. */
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
    // What cannot be found out counts as started.
    const runner = await installing().catch(() => undefined);
    if (this.#isOver) return;
    if (runner !== this.#runner) onInstalling?.(runner);
    this.#runner = runner;
    if (runner !== undefined && this.elapsedMs < LONGEST_INSTALL_MS) limit.restart();
    this.#lookLater();
  }
}
