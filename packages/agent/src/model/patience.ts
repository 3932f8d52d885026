// How long to wait for a provider, and how often to retry. A separate file, since programs that set this do not need the
// types of the vendors.

import type { BackoffPolicy } from '@plugboard/base';

export interface Patience {
  /** How long a provider may send nothing, before its answer and during it. */
  readonly idleMs: number;
  readonly backoff: BackoffPolicy;
  /** If a provider asks for a longer wait, the request fails. */
  readonly longestWaitMs: number;
}

export const PATIENCE: Patience = {
  idleMs: 180_000,
  backoff: { firstMs: 1000, maxMs: 30_000, maxAttempts: 6 },
  longestWaitMs: 120_000,
};
