// Stops restarting a server that crashes again and again, and for a moment one that hangs while it starts.

import type { Clock } from '@plugboard/base';
import { factsOf, isProtocolFailure, type ProtocolFailure } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** After this many crashes within the time, the server is not started until that time is over. */
export const BRAKE = { crashes: 5, withinMs: 60_000 } as const;

/**
 * For this long, a timed-out attempt answers further requests for the server: a caller with several steps does not
 * wait for an attempt in each of them.
 */
const HUNG_MS = 3000;

/** The times of the crashes that still count, oldest first, on a clock that never runs backwards. */
export type Crashes = readonly number[];

export function withCrash(crashes: Crashes, at: number): Crashes {
  return [...crashes, at].filter((time) => at - time < BRAKE.withinMs).slice(-BRAKE.crashes);
}

/** The time until which the server must not be started, if there is a limit. */
export function brakedUntil(crashes: Crashes): number | undefined {
  const [oldest] = crashes;
  return oldest === undefined || crashes.length < BRAKE.crashes
    ? undefined
    : oldest + BRAKE.withinMs;
}

type CrashLoop = Extract<ConnectionFailure, { readonly kind: 'crash-loop' }>;

export class CrashBrake {
  readonly #clock: Clock;
  #crashes: Crashes = [];
  #last: ProtocolFailure | undefined;
  #hung: { readonly failure: ConnectionFailure; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why the server must not be started now; `undefined` if it may be. */
  get failure(): ConnectionFailure | undefined {
    return this.#loop ?? this.hung;
  }

  /** The failure of a recent attempt that timed out. */
  get hung(): ConnectionFailure | undefined {
    if (this.#hung === undefined) return undefined;
    const { failure, at } = this.#hung;
    return this.#clock.elapsed() - at < HUNG_MS ? failure : undefined;
  }

  get #loop(): CrashLoop | undefined {
    const until = brakedUntil(this.#crashes);
    const now = this.#clock.elapsed();
    if (until === undefined || until <= now || this.#last === undefined) return undefined;
    const { length: crashes } = this.#crashes;
    return {
      kind: 'crash-loop',
      crashes,
      until: this.#clock.now() + until - now,
      last: this.#last,
    };
  }

  /** Counts a crash. At the limit, returns a crash loop in place of the failure. */
  after(failure: ConnectionFailure): ConnectionFailure {
    if (!isProtocolFailure(failure) || !factsOf(failure).isCrash) return failure;
    this.#crashes = withCrash(this.#crashes, this.#clock.elapsed());
    this.#last = failure;
    return this.#loop ?? failure;
  }

  /** The same for a failed attempt to open a session, which may also have timed out. */
  afterOpening(failure: ConnectionFailure): ConnectionFailure {
    if (failure.kind === 'timeout') this.#hung = { failure, at: this.#clock.elapsed() };
    return this.after(failure);
  }
}
