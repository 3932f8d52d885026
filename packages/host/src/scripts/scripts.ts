// Runs scripts over tools, a few at once and the others after them. The sandbox is loaded with the first script and closed with
// the host. Which tools a script has, and how its calls are made, is the caller's.

import { type Clock, never, Semaphore } from '@plugboard/base';
import type * as CodeMode from '@plugboard/code-mode';
import type { Sandbox, ScriptOptions, ScriptOutcome } from '@plugboard/code-mode';

export interface RanScript {
  readonly outcome: ScriptOutcome;
  /** The same as a model reads it. */
  readonly text: string;
}

const MOST_AT_ONCE = 4;
const NOT_STARTED: ScriptOutcome = { kind: 'cancelled', log: [], droppedLines: 0, calls: [] };

export class Scripts implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #places = new Semaphore(MOST_AT_ONCE);
  readonly #closing = new AbortController();
  #sandbox: Sandbox | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run(code: string, options: ScriptOptions): Promise<RanScript> {
    const signal = AbortSignal.any([this.#closing.signal, options.signal ?? never]);
    const codeMode = await import('@plugboard/code-mode');
    const outcome = await this.#run(code, { ...options, signal }, codeMode);
    return { outcome, text: codeMode.outcomeText(outcome) };
  }

  async #run(
    code: string,
    options: ScriptOptions & { readonly signal: AbortSignal },
    codeMode: typeof CodeMode,
  ): Promise<ScriptOutcome> {
    try {
      return await this.#places.run(options.signal, () => {
        this.#sandbox ??= new codeMode.Sandbox({ clock: this.#clock });
        return this.#sandbox.run(code, options);
      });
    } catch (thrown) {
      if (options.signal.aborted) return NOT_STARTED;
      throw thrown;
    }
  }

  /** Cancels those that run. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sandbox?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
