// A manual clock that tells how long the code pauses: a test waits until the next pause has begun, and
// ends it. Nothing passes by itself, so what happens between two pauses has all the time it needs.

import { ManualClock, waitUntil } from '@plugboard/testkit';

export class PacedClock extends ManualClock {
  /** In the order in which they were begun. */
  readonly pauses: number[] = [];
  readonly #ignored: ReadonlySet<number>;

  /** `ignored` are time limits of others. */
  constructor({ ignored = [] }: { readonly ignored?: readonly number[] } = {}) {
    // Proofs are dated by the real time, and a server by this clock judges them.
    super(Date.now());
    this.#ignored = new Set(ignored);
  }

  override after(ms: number, task: () => void): Disposable {
    if (!this.#ignored.has(ms)) this.pauses.push(ms);
    return super.after(ms, task);
  }

  /** Lets the pause of this number (the first is 1) pass once it has begun, and says how long it was. */
  async pass(number: number): Promise<number> {
    const ms = await this.begun(number);
    await this.advance(ms);
    return ms;
  }

  /** Lets the first pause of this length pass, of those that began after so many others. */
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
