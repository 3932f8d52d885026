// What is known of servers at which somebody has to sign in first: that it was tried, when, and why it
// came to nothing. It holds for 15 minutes, over processes, so that no server is asked in vain and nobody
// is asked in a loop. A port; whoever implements it keeps nothing secret.

import type { Instant } from '@plugboard/base';
import type { AuthorizationProblem } from '../protocol/index.ts';
import type { ServerKey } from './credential.ts';
import { isPassing } from './problems.ts';

export interface Refusal {
  readonly problem: RememberedProblem;
  readonly at: Instant;
}

export interface RefusalKey extends ServerKey {
  /** A hash of all that the entry says: what was tried with another says nothing of this one. */
  readonly entry: string;
}

/** Whoever signs in there makes up for every refusal that it is about. */
export interface SignedIn {
  readonly server: ServerKey;
  readonly account: string;
  /** The authorization servers, and the identity provider. */
  readonly issuers: readonly string[];
}

/** Nothing of it fails for the caller: what cannot be kept is found out again. */
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

/** Those that somebody can end by signing in. */
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

/** Whether a refusal is one that this sign-in makes up for, wherever else it was. */
export function isEndedBy(
  { problem, account }: Refusal & { readonly account: string },
  signedIn: SignedIn,
): boolean {
  if (account !== signedIn.account || !('issuer' in problem)) return false;
  return signedIn.issuers.includes(problem.issuer);
}
