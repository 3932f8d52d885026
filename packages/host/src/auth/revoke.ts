// Revokes the tokens of a sign-in when it ends. Decides to which server they may be sent; the caller deletes
// them whatever the result.

import { ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizationServer, OAuthClient } from '../protocol/index.ts';
import type { Credential } from './credential.ts';

export type Revocation =
  /** The tokens are invalid now. */
  | { readonly kind: 'revoked' }
  /** The authorization server does not offer revocation: they stay valid until they expire. */
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'failed'; readonly problem: AuthorizationProblem };

export async function revokeCredential(
  { issuer, accessToken, refreshToken }: Credential,
  found: Result<AuthorizationServer, AuthorizationProblem>,
  client: OAuthClient | undefined,
): Promise<Revocation> {
  if (!found.ok) return { kind: 'failed', problem: found.error };
  const server = found.value;
  // The server has moved: its new authorization server must not see the tokens.
  if (server.issuer !== issuer) {
    return { kind: 'failed', problem: { kind: 'issuer-mismatch', where: 'client' } };
  }
  if (client === undefined) return { kind: 'not-offered' };
  // Revoking the first ends the whole grant at many servers, which makes the second invalid too.
  const refreshed =
    refreshToken === undefined
      ? ok('revoked' as const)
      : await server.revoke({ client, token: refreshToken, kind: 'refresh_token' });
  if (!refreshed.ok) return { kind: 'failed', problem: refreshed.error };
  if (refreshed.value === 'not-offered') return { kind: 'not-offered' };
  const revoked = await server.revoke({ client, token: accessToken, kind: 'access_token' });
  return revoked.ok ? { kind: revoked.value } : { kind: 'failed', problem: revoked.error };
}
