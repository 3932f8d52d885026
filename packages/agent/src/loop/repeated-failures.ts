// Keeps a model from repeating a call that fails: after a few failures with the same arguments, the call is answered
// without being made.

import type { ToolAnswer, ToolCall } from '../conversation/index.ts';
import { callKey, textAnswer } from '../conversation/index.ts';

export class RepeatedFailures {
  readonly #failures = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The answer to a call that has failed too often; `undefined` otherwise. */
  refusal(call: ToolCall): ToolAnswer | undefined {
    const failed = this.#failures.get(callKey(call)) ?? 0;
    if (failed < this.#most) return undefined;
    return textAnswer(
      call,
      `Not called: it failed ${failed} times with these same arguments. Change the arguments, take another way, or tell the user what stands in the way.`,
      'error',
    );
  }

  add(call: ToolCall, { isError }: ToolAnswer): void {
    const key = callKey(call);
    if (isError) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
    else this.#failures.delete(key);
  }
}
