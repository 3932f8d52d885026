// In which order calls to one server run: those that may change something one after another, as they
// came; those that only read at once. A place is taken when a call comes, so that one that waits for an
// approval is not overtaken by the next.

import { abortable } from '@plugboard/base';

export interface Turn {
  /** Resolves when all that came before are over; `undefined` if none did. */
  readonly before: Promise<void> | undefined;
  /** Lets the next one go. May be called twice. */
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
    // One that gives up while it waits must not let the next overtake those before it.
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
    // Nothing that is waited for rejects but by the signal.
    return 'cancelled';
  }
}
