// Reads the redirect of a sign-in: returns the code if the redirect has the state of the request and comes from the
// requested issuer. Nothing else is read before both are verified. Pure.

import { err, ok, type Result } from '@plugboard/base';
import {
  type AuthorizationProblem,
  type AuthorizationServer,
  isSameState,
} from '../protocol/index.ts';

export interface Redirect {
  readonly code: string;
  readonly iss: string | undefined;
}

export function readRedirect(
  { searchParams }: URL,
  state: string,
  server: Pick<AuthorizationServer, 'issuer' | 'checkRedirectIssuer'>,
): Result<Redirect, AuthorizationProblem> {
  if (!isSameState(searchParams.get('state'), state)) {
    return err({ kind: 'bad-redirect', reason: 'state' });
  }
  const iss = searchParams.get('iss') ?? undefined;
  const checked = server.checkRedirectIssuer(iss);
  if (!checked.ok) return checked;
  const error = searchParams.get('error');
  if (error !== null) return err(deniedBy(server.issuer, error));
  const code = searchParams.get('code');
  return code === null || code === ''
    ? err({ kind: 'bad-redirect', reason: 'no-code' })
    : ok({ code, iss });
}

function deniedBy(issuer: string, error: string): AuthorizationProblem {
  return { kind: 'denied', issuer, error: /^[a-z_]{1,64}$/.test(error) ? error : 'unknown' };
}
