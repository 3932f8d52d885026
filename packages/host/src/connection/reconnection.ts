// Decides whether and when a lost server is retried automatically. Pure: the caller provides the clock and the random
// numbers.

import { type BackoffPolicy, backoffDelay, type Random } from '@plugboard/base';
import { factsOf, isProtocolFailure } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

export interface Reconnection {
  /** Other servers are only started again when they are needed. */
  readonly isAutomatic: boolean;
  readonly backoff: BackoffPolicy;
}

export const DEFAULT_BACKOFF: BackoffPolicy = { firstMs: 1000, maxMs: 30_000, maxAttempts: 5 };

/** The milliseconds until the next attempt, after `tries` have failed; `undefined` if there is none. */
export function retryDelay(
  { failure, tries }: { readonly failure: ConnectionFailure; readonly tries: number },
  { isAutomatic, backoff }: Reconnection,
  random: Random,
): number | undefined {
  if (!isAutomatic || !isProtocolFailure(failure) || !factsOf(failure).isTransient)
    return undefined;
  return backoffDelay(tries, backoff, random);
}
