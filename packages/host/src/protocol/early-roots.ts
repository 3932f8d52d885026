// Some servers request the roots as soon as they are connected, and refuse everything outside them, including a call
// that arrives before the roots. The first calls to such a server wait for its request; calls to other servers do not.

import { abortable, type Clock, deadline, delay } from '@plugboard/base';
import type { EarlyRoots, Root, RootsPort } from './neutral/roots.ts';

/** After this time, the server counts as one that no longer requests the roots early. */
const REQUEST_MS = 500;
/** Servers inspect the folders before they work in them, and do not report when that is done. */
const SETTLING_MS = 30;

export interface FirstCallPorts {
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  /** Whether the server has answered a request since it was connected. */
  hasAnswered(): boolean;
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
}

/** The roots of one session. Records whether its server requests them early. */
export class SessionRoots implements RootsPort {
  readonly #roots: RootsPort;
  readonly #early: EarlyRoots | undefined;
  readonly #requested: Promise<void>;
  #resolveRequested: () => void = () => {};
  #hasAnswered: () => boolean = () => false;

  constructor(roots: RootsPort) {
    this.#roots = roots;
    this.#early = roots.early;
    this.#requested = new Promise((resolve) => {
      this.#resolveRequested = resolve;
    });
  }

  list(): readonly Root[] {
    // A later request may come from a tool.
    if (!this.#hasAnswered()) this.#early?.note('asked');
    this.#resolveRequested();
    return this.#roots.list();
  }

  watch(onChange: () => void): Disposable {
    return this.#roots.watch(onChange);
  }

  /** Settles when the first calls may be sent; never rejects. `undefined` if they need not wait. */
  beforeCalls(ports: FirstCallPorts): Promise<void> | undefined {
    this.#hasAnswered = () => ports.hasAnswered();
    // A server that has answered other hosts has made its early request already.
    const isExpected = this.#early?.isExpected === true && !ports.hasAnswered();
    return isExpected ? this.#waitForRequest(ports) : undefined;
  }

  async #waitForRequest({ clock, ending, ping }: FirstCallPorts): Promise<void> {
    using limit = deadline(REQUEST_MS, clock, ending);
    let hasAsked = false;
    try {
      await abortable(this.#requested, limit.signal);
      hasAsked = true;
      await delay(SETTLING_MS, clock, limit.signal);
      // Its answer shows that it has read the roots, which were sent before.
      await ping(limit.signal);
    } catch {
      // The calls are sent nevertheless, as to any other server.
      if (!hasAsked && !ending.aborted) this.#early?.note('not-asked');
    }
  }
}
