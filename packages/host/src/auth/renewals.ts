// The renewals whose refresh token has been shown already. A server that gives another in its place takes
// the old one no more, so whoever ends in between loses the sign-in: ending waits for them, for a while.

import { type Clock, delay } from '@plugboard/base';

/** Longer than a renewal takes; not so long that whoever interrupts a program does it twice. */
const PATIENCE_MS = 3000;

export class Renewals {
  #count = 0;
  readonly #none = new Set<() => void>();

  /** From now until it is disposed of, one more is under way. */
  begin(): Disposable {
    this.#count += 1;
    return { [Symbol.dispose]: () => this.#end() };
  }

  /** When all that are under way are kept, or nobody can wait for them any longer. */
  async settled(clock: Clock): Promise<void> {
    if (this.#count === 0) return;
    const enough = new AbortController();
    const none = new Promise<void>((resolve) => this.#none.add(resolve));
    // It ends by being told that it is enough, too.
    const late = delay(PATIENCE_MS, clock, enough.signal).catch(() => {});
    await Promise.race([none, late]);
    enough.abort();
  }

  #end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#none) resolve();
    this.#none.clear();
  }
}
