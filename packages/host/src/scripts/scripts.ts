// Runs scripts over tools, a few of one owner at once and the others after them. The sandbox is loaded with the first script and closed
// with the host. Which tools a script has, and how its calls are made, is the caller's.

import { type Clock, never, Semaphore } from '@plugboard/base';
import type * as CodeMode from '@plugboard/code-mode';
import type { Sandbox, ScriptOptions, ScriptOutcome } from '@plugboard/code-mode';

export interface RunScriptOptions extends ScriptOptions {
  /** Whose it is: scripts of one owner wait for no other's. The program's own, unless given. */
  readonly owner?: string | undefined;
}

export interface RanScript {
  readonly outcome: ScriptOutcome;
  /** The same as a model reads it. */
  readonly text: string;
}

/** Of one owner. */
const MOST_AT_ONCE = 4;
const NOT_STARTED: ScriptOutcome = { kind: 'cancelled', log: [], droppedLines: 0, calls: [] };

export class Scripts implements AsyncDisposable {
  readonly #clock: Clock;
  /** By owner. */
  readonly #places = new Map<string, Semaphore>();
  readonly #closing = new AbortController();
  #sandbox: Sandbox | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run(code: string, options: RunScriptOptions): Promise<RanScript> {
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

  /** Cancels those that run. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sandbox?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
