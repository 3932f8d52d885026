// Runs scripts over tools, a limited number per owner at once. The sandbox is loaded with the first script and closed with
// the host. The caller chooses the tools of a script and makes its calls.

import { type Clock, never, Semaphore } from '@plugboard/base';
import type * as CodeMode from '@plugboard/code-mode';
import type { Sandbox, ScriptOptions, ScriptOutcome } from '@plugboard/code-mode';

export interface RunScriptOptions extends ScriptOptions {
  /** Scripts of one owner do not wait for those of others. By default, the program itself. */
  readonly owner?: string | undefined;
}

export interface ScriptRun {
  readonly outcome: ScriptOutcome;
  /** The outcome as text for a model. */
  readonly text: string;
}

/** Per owner. */
const MOST_AT_ONCE = 4;
const NOT_STARTED: ScriptOutcome = { kind: 'cancelled', log: [], droppedLines: 0, calls: [] };

export class Scripts implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #places = new Map<string, Semaphore>();
  readonly #closing = new AbortController();
  #sandbox: Sandbox | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run(code: string, options: RunScriptOptions): Promise<ScriptRun> {
    const signal = AbortSignal.any([this.#closing.signal, options.signal ?? never]);
    const codeMode = await import('@plugboard/code-mode');
    const outcome = await this.#run(code, { ...options, signal }, codeMode);
    return { outcome, text: codeMode.outcomeText(outcome) };
  }

  async #run(
    code: string,
    options: RunScriptOptions & { readonly signal: AbortSignal },
    codeMode: typeof CodeMode,
  ): Promise<ScriptOutcome> {
    try {
      return await this.#placesOf(options.owner).run(options.signal, () => {
        this.#sandbox ??= new codeMode.Sandbox({ clock: this.#clock });
        return this.#sandbox.run(code, options);
      });
    } catch (thrown) {
      if (options.signal.aborted) return NOT_STARTED;
      throw thrown;
    }
  }

  #placesOf(owner = ''): Semaphore {
    const known = this.#places.get(owner) ?? new Semaphore(MOST_AT_ONCE);
    this.#places.set(owner, known);
    return known;
  }

  /** Cancels running scripts. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sandbox?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
