// Renews the token of a credential: by its refresh token, or by a machine grant. One renewal at a time, across
// processes; later callers get the result of the first. A failed renewal leaves the credential unchanged,
// except that it removes a refresh token that is no longer accepted.

import { err, ok } from '@plugboard/base';
import type { AuthorizationProblem, Tokens } from '../protocol/index.ts';
import {
  type Credential,
  type CredentialKey,
  isExpiring,
  credentialKey,
  withTokens,
} from './credential.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';

type RenewPorts = Pick<AuthorizationPorts, 'store' | 'renewals' | 'clock' | 'ending'>;

/** `refused` is the token that must not be returned again. */
export async function refreshCredential(
  options: {
    readonly key: CredentialKey;
    readonly refused: string | undefined;
    readonly refresh: (refreshToken: string) => AuthorizationResult<Tokens>;
  },
  ports: RenewPorts,
): AuthorizationResult<Credential> {
  const { key, refused, refresh } = options;
  const needed: AuthorizationProblem = { kind: 'sign-in-needed', issuer: key.issuer };
  let underWay: Disposable | undefined;
  try {
    return await changeCredential(key, ports, async (now) => {
      if (now === undefined) return { after: undefined, problem: needed };
      if (isGood(now, refused, ports)) return { after: now };
      if (now.refreshToken === undefined) return { after: now, problem: needed };
      underWay = ports.renewals.begin();
      return afterRefresh(now, await refresh(now.refreshToken), ports);
    });
  } finally {
    underWay?.[Symbol.dispose]();
  }
}

async function afterRefresh(
  now: Credential,
  tokens: Awaited<AuthorizationResult<Tokens>>,
  { store, clock }: RenewPorts,
): Promise<Outcome> {
  if (tokens.ok) return { after: withTokens(now, tokens.value, clock.now()) };
  if (!isOver(tokens.error)) return { after: now, problem: tokens.error };
  // A process that does not use the lock may have renewed it first, and its token is valid.
  const latest = await store.credentials.read(credentialKey(now));
  if (latest.ok && latest.value !== undefined && latest.value.accessToken !== now.accessToken) {
    return { after: latest.value };
  }
  const { refreshToken: _, ...left } = now;
  return { after: left, problem: tokens.error };
}

/** Obtains a token by a machine grant, unless another process has just got one. */
export async function obtainCredential(
  options: {
    readonly fresh: CredentialKey & Partial<Credential>;
    readonly refused: string | undefined;
    readonly request: () => AuthorizationResult<Tokens>;
  },
  ports: RenewPorts,
): AuthorizationResult<Credential> {
  const { fresh, refused, request } = options;
  return changeCredential(credentialKey(fresh), ports, async (now) => {
    const isEnough = now?.requestedScope === fresh.requestedScope;
    if (now !== undefined && isEnough && isGood(now, refused, ports)) return { after: now };
    const tokens = await request();
    if (!tokens.ok) return { after: now, problem: tokens.error };
    return { after: withTokens(fresh, tokens.value, ports.clock.now()) };
  });
}

interface Outcome {
  readonly after: Credential | undefined;
  readonly problem?: AuthorizationProblem;
}

async function changeCredential(
  key: CredentialKey,
  { store, ending }: RenewPorts,
  change: (now: Credential | undefined) => Promise<Outcome>,
): AuthorizationResult<Credential> {
  let problem: AuthorizationProblem | undefined;
  const updated = await store.credentials.update(
    key,
    async (now) => {
      const outcome = await change(now);
      problem = outcome.problem;
      return outcome.after;
    },
    ending,
  );
  if (!updated.ok) return updated;
  if (problem !== undefined) return err(problem);
  return updated.value === undefined
    ? err({ kind: 'sign-in-needed', issuer: key.issuer })
    : ok(updated.value);
}

function isGood(now: Credential, refused: string | undefined, { clock }: RenewPorts): boolean {
  return now.accessToken !== refused && !isExpiring(now, clock.now());
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2: it will not be accepted later either. */
function isOver(problem: AuthorizationProblem): boolean {
  return problem.kind === 'denied' && problem.error === 'invalid_grant';
}
