// When a lost server is worth another try without being asked, and after how long. Pure: the caller
// brings the clock and the dice.

import { type BackoffPolicy, backoffDelay, type Random } from '@plugboard/base';
import type { ConnectionFailure } from './state.ts';

export interface Reconnection {
  /** Whether it comes back by itself at all; the others are started again at the next need. */
  readonly isAutomatic: boolean;
  readonly backoff: BackoffPolicy;
}

export const DEFAULT_BACKOFF: BackoffPolicy = { firstMs: 1000, maxMs: 30_000, maxAttempts: 5 };

/** Milliseconds until the next try after so many have failed, or `undefined` when there is none. */
export function retryDelay(
  { failure, tries }: { readonly failure: ConnectionFailure; readonly tries: number },
  { isAutomatic, backoff }: Reconnection,
  random: Random,
): number | undefined {
  if (!isAutomatic || !mayPass(failure)) return undefined;
  return backoffDelay(tries, backoff, random);
}

/** A failure that the same try may not meet a moment later. */
function mayPass(failure: ConnectionFailure): boolean {
  switch (failure.kind) {
    case 'unreachable':
    case 'closed':
    case 'timeout':
    case 'exited':
      return true;
    case 'http':
      return failure.status >= 500 || failure.status === 408 || failure.status === 429;
    default:
      return false;
  }
}
