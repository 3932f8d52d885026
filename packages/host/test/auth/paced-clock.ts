// A manual clock that tells how long the code pauses: a test waits until the next pause has begun, and
// ends it. Nothing passes by itself, so what happens between two pauses has all the time it needs.

import { ManualClock, waitUntil } from '@plugboard/testkit';

export class PacedClock extends ManualClock {
  /** In the order of their beginnings. */
  readonly pauses: number[] = [];
  readonly #ignored: ReadonlySet<number>;

  /** `ignored`: other time limits. */
  constructor({ ignored = [] }: { readonly ignored?: readonly number[] } = {}) {
    // Proofs are dated by the real time, and a server by this clock judges them.
    super(Date.now());
    this.#ignored = new Set(ignored);
  }

  override after(ms: number, task: () => void): Disposable {
    if (!this.#ignored.has(ms)) this.pauses.push(ms);
    return super.after(ms, task);
  }

  /** Lets the pause with this number (from 1) pass once it has begun, and returns its length. */
  async pass(number: number): Promise<number> {
    const ms = await this.begun(number);
    await this.advance(ms);
    return ms;
  }

  /** Skips some pauses, and lets the next one of this length pass. */
  async passFirst(ms: number, after: number): Promise<void> {
    await waitUntil(() => this.pauses.slice(after).includes(ms), {
      describe: () => `a pause of ${ms} ms; so far: ${this.pauses.slice(after).join(', ')}`,
    });
    await this.advance(ms);
  }

  begun(number: number): Promise<number> {
    return waitUntil(() => this.pauses[number - 1], {
      describe: () => `pause ${number}; so far: ${this.pauses.join(', ')}`,
    });
  }
}
