// Stops a server that crashes as fast as it is started: after five crashes within a minute it is
// left alone until the minute is over. Pure.

export const BRAKE = { crashes: 5, withinMs: 60_000 } as const;

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
