// The port that remembers which servers require a sign-in first: that it was tried, when, and why it failed.
// Valid for 15 minutes, across processes, so that no server is contacted in vain and the user is not asked in a
// loop. Implementations keep nothing secret.

import type { Instant } from '@plugboard/base';
import type { AuthorizationProblem } from '../protocol/index.ts';
import type { ServerKey } from './credential.ts';
import { isPassing } from './problems.ts';

export interface Refusal {
  readonly problem: RememberedProblem;
  readonly at: Instant;
}

export interface RefusalKey extends ServerKey {
  /** A hash of the whole entry: an attempt with another entry says nothing about this one. */
  readonly entry: string;
}

/** A sign-in, which ends every refusal that it applies to. */
export interface SignedIn {
  readonly server: ServerKey;
  readonly account: string;
  /** The authorization servers, and the identity provider. */
  readonly issuers: readonly string[];
}

/** Never fails for the caller: what cannot be stored is found out again. */
export interface RefusalMemory {
  recall(key: RefusalKey): Promise<Refusal | undefined>;
  remember(key: RefusalKey, refusal: Refusal): Promise<void>;
  forget(signedIn: SignedIn): Promise<void>;
}

export const REMEMBERED_MS = 15 * 60_000;

export function isRecent({ at }: Refusal, now: Instant): boolean {
  const age = now - at;
  return age >= 0 && age < REMEMBERED_MS;
}

/** The problems that a sign-in can end. */
export type RememberedProblem = Extract<
  AuthorizationProblem,
  { readonly kind: 'sign-in-needed' | 'not-signed-in' | 'asked-too-often' | 'denied' }
>;

export function isRemembered(problem: AuthorizationProblem): problem is RememberedProblem {
  switch (problem.kind) {
    case 'sign-in-needed':
    case 'not-signed-in':
    case 'asked-too-often':
      return true;
    case 'denied':
      return !isPassing(problem);
    default:
      return false;
  }
}

/** Whether this sign-in ends a refusal, of whichever server. */
export function isEndedBy(
  { problem, account }: Refusal & { readonly account: string },
  signedIn: SignedIn,
): boolean {
  if (account !== signedIn.account || !('issuer' in problem)) return false;
  return signedIn.issuers.includes(problem.issuer);
}
