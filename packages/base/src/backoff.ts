// How long to wait before trying again. Pure: randomness comes in, so that tests choose it.

export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly maxAttempts: number;
}

/** A number in [0, 1), as `Math.random` gives. */
export type Random = () => number;

/**
 * The wait before attempt `attempt + 1`, when `attempt` attempts have failed, or `undefined` when no
 * attempt is left. Doubles from `firstMs` up to `maxMs`; "equal jitter" keeps at least half of it, so
 * that many clients of one server spread out and none comes back at once.
 */
export function backoffDelay(
  attempt: number,
  policy: BackoffPolicy,
  random: Random,
): number | undefined {
  if (attempt >= policy.maxAttempts) return undefined;
  const doublings = Math.min(Math.max(0, attempt - 1), MOST_DOUBLINGS);
  const full = Math.min(policy.maxMs, policy.firstMs * 2 ** doublings);
  return full / 2 + (full / 2) * random();
}

/** Enough for any wait, and still a finite number: zero times infinity would be no wait at all. */
const MOST_DOUBLINGS = 60;
