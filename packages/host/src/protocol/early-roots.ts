// Servers that ask for the folders to work in as soon as they are connected to, and refuse whatever lies
// elsewhere. A call that overtakes their question is refused as well, so the first calls wait for it; of
// servers that are not known to ask, none does.

import { abortable, type Clock, deadline, delay } from '@plugboard/base';
import type { EarlyRoots, Root, RootsPort } from './neutral/roots.ts';

/** One that has not asked by then has changed its ways. */
const PATIENCE_MS = 500;
/** Servers look at the folders before they work in them, and do not say when they have. */
const SETTLING_MS = 30;

export interface FirstCallPorts {
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  /** Whether the server has answered anything since it was connected to. */
  hasAnswered(): boolean;
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
}

/** The roots of one session, which notices when its server asks for them. */
export class SessionRoots implements RootsPort {
  readonly #roots: RootsPort;
  readonly #early: EarlyRoots | undefined;
  readonly #asked: Promise<void>;
  #sayAsked: () => void = () => {};
  #hasAnswered: () => boolean = () => false;

  constructor(roots: RootsPort) {
    this.#roots = roots;
    this.#early = roots.early;
    this.#asked = new Promise((resolve) => {
      this.#sayAsked = resolve;
    });
  }

  list(): readonly Root[] {
    // Later it may be some tool that wants to know.
    if (!this.#hasAnswered()) this.#early?.note('asked');
    this.#sayAsked();
    return this.#roots.list();
  }

  watch(onChange: () => void): Disposable {
    return this.#roots.watch(onChange);
  }

  /** What the first calls wait for; it never fails. `undefined` if the server is not known to ask. */
  beforeCalls(ports: FirstCallPorts): Promise<void> | undefined {
    this.#hasAnswered = () => ports.hasAnswered();
    // Of one that other hosts have used before it is known whether it asked them.
    const isExpected = this.#early?.isExpected === true && !ports.hasAnswered();
    return isExpected ? this.#told(ports) : undefined;
  }

  async #told({ clock, ending, ping }: FirstCallPorts): Promise<void> {
    using limit = deadline(PATIENCE_MS, clock, ending);
    let hasAsked = false;
    try {
      await abortable(this.#asked, limit.signal);
      hasAsked = true;
      await delay(SETTLING_MS, clock, limit.signal);
      // However busy it is, it read what came before.
      await ping(limit.signal);
    } catch {
      // Calls go on without, as they would to any other server.
      if (!hasAsked && !ending.aborted) this.#early?.note('not-asked');
    }
  }
}
