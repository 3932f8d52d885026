// Computes how long to wait before a retry. Pure: randomness is a parameter.

export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly maxAttempts: number;
}

/** Returns a number in [0, 1), as `Math.random` does. */
export type Random = () => number;

/**
 * The wait after `attempt` failed attempts; `undefined` if no attempt is left. Doubles from `firstMs` up to `maxMs`, with
 * "equal jitter": at least half of it is kept, so that many clients of one server spread out and none retries at once.
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

/** Enough for any wait, and keeps the factor finite: zero times infinity would not be a wait. */
const MOST_DOUBLINGS = 60;
