// Stops a server that crashes as fast as it is started: after five crashes within a minute it is
// left alone until the minute is over. Pure.

import type { Instant } from '@plugboard/base';

export const BRAKE = { crashes: 5, withinMs: 60_000 } as const;

/** The times of the crashes that still count, oldest first. */
export type Crashes = readonly Instant[];

export function withCrash(crashes: Crashes, at: Instant): Crashes {
  return [...crashes, at].filter((time) => at - time < BRAKE.withinMs).slice(-BRAKE.crashes);
}

/** Until when it must not be started, if that is so. */
export function brakedUntil(crashes: Crashes): Instant | undefined {
  const [oldest] = crashes;
  return oldest === undefined || crashes.length < BRAKE.crashes
    ? undefined
    : oldest + BRAKE.withinMs;
}
