// Leaves a server alone that crashes as fast as it is started, and for a moment one that hangs while it starts.

import type { Clock } from '@plugboard/base';
import { factsOf, type ProtocolFailure } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/**
 * A server that crashes as fast as it is started is left alone: after five crashes within a minute, until the minute is
 * over.
 */
export const BRAKE = { crashes: 5, withinMs: 60_000 } as const;

/**
 * What asks for a server in several steps does not wait for an attempt in each: for so long after one that timed out, it
 * counts for all of them.
 */
const HUNG_MS = 3000;

/** When the crashes were that still count, oldest first, on a clock that never runs backwards. */
export type Crashes = readonly number[];

export function withCrash(crashes: Crashes, at: number): Crashes {
  return [...crashes, at].filter((time) => at - time < BRAKE.withinMs).slice(-BRAKE.crashes);
}

/** Until when it must not be started, if that is so. */
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

  /** Why the server must not be started now, if that is so. */
  get failure(): ConnectionFailure | undefined {
    return this.#loop ?? this.hung;
  }

  /** The failure of an attempt that timed out just now. */
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

  /** Counts a crash; beyond the limit, the failure becomes a crash loop. */
  after(failure: ConnectionFailure): ConnectionFailure {
    if (!isCrash(failure)) return failure;
    this.#crashes = withCrash(this.#crashes, this.#clock.elapsed());
    this.#last = failure;
    return this.#loop ?? failure;
  }

  /** The same of an attempt to open a session. */
  afterOpening(failure: ConnectionFailure): ConnectionFailure {
    if (failure.kind === 'timeout') this.#hung = { failure, at: this.#clock.elapsed() };
    return this.after(failure);
  }
}

/** A server that crashes is restarted a limited number of times. */
function isCrash(failure: ConnectionFailure): failure is ProtocolFailure {
  switch (failure.kind) {
    case 'unresolved':
    case 'helper-failed':
    case 'crash-loop':
      return false;
    default:
      return factsOf(failure).isCrash === true;
  }
}
