// Gives the tokens of a sign-in back when it is over, so that nobody can use them any more. To whom they
// may be shown is decided here; that they are forgotten whatever comes of it is the caller's business.

import { ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizationServer, OAuthClient } from '../protocol/index.ts';
import type { Credential } from './credential.ts';

export type Revocation =
  /** The tokens are worth nothing any more. */
  | { readonly kind: 'revoked' }
  /** The authorization server takes none back: they stay good until they expire. */
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'failed'; readonly problem: AuthorizationProblem };

export async function revokeCredential(
  { issuer, accessToken, refreshToken }: Credential,
  found: Result<AuthorizationServer, AuthorizationProblem>,
  client: OAuthClient | undefined,
): Promise<Revocation> {
  if (!found.ok) return { kind: 'failed', problem: found.error };
  const server = found.value;
  // The server has moved: its new authorization server is none of their business.
  if (server.issuer !== issuer) {
    return { kind: 'failed', problem: { kind: 'issuer-mismatch', where: 'client' } };
  }
  if (client === undefined) return { kind: 'not-offered' };
  // With the first, many servers end the whole grant; the second is then as good as gone.
  const refreshed =
    refreshToken === undefined
      ? ok('revoked' as const)
      : await server.revoke({ client, token: refreshToken, kind: 'refresh_token' });
  if (!refreshed.ok) return { kind: 'failed', problem: refreshed.error };
  if (refreshed.value === 'not-offered') return { kind: 'not-offered' };
  const revoked = await server.revoke({ client, token: accessToken, kind: 'access_token' });
  return revoked.ok ? { kind: revoked.value } : { kind: 'failed', problem: revoked.error };
}
