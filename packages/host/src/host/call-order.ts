// The order of calls to one server: calls that may change something run one after another, in the order of their
// arrival; calls that only read run at once. A call takes its place on arrival, so that the next call does not overtake
// it while it waits for an approval.

import { abortable } from '@plugboard/base';

export interface Turn {
  /** Resolves when all earlier calls have ended; `undefined` if there are none. */
  readonly before: Promise<void> | undefined;
  /** Lets the next call run. May be called twice. */
  leave(): void;
}

export class CallOrder {
  readonly #last = new Map<string, Promise<void>>();

  enter(server: string): Turn {
    const before = this.#last.get(server);
    let end: () => void = () => {};
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    // A call that is aborted while it waits must not let the next one overtake the earlier ones.
    const over = before === undefined ? own : before.then(() => own);
    this.#last.set(server, over);
    const forget = (): void => {
      if (this.#last.get(server) === over) this.#last.delete(server);
    };
    return {
      before,
      leave: () => {
        end();
        if (before === undefined) forget();
        else void over.then(forget);
      },
    };
  }

  /** How many servers have calls that run in order. */
  get size(): number {
    return this.#last.size;
  }
}

export async function waitFor(
  before: Promise<void>,
  signal: AbortSignal,
): Promise<'ready' | 'cancelled'> {
  try {
    await abortable(before, signal);
    return 'ready';
  } catch {
    // `before` never rejects, so the signal was aborted.
    return 'cancelled';
  }
}
