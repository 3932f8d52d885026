// The endpoint at which a client revokes a token (RFC 7009). An unknown token counts as revoked.

import { type Answer, empty, oauthError } from './answer.ts';
import { authenticate } from './client-authentication.ts';
import type { Realm } from './realm.ts';
import type { LoggedRequest } from './request-log.ts';

export async function revocationEndpoint(request: LoggedRequest, realm: Realm): Promise<Answer> {
  if (request.method !== 'POST') return empty(405);
  const client = await authenticate(request, realm);
  if (!client.ok) return oauthError(client.error);
  const { token } = request.parameters;
  if (token === undefined) return oauthError({ error: 'invalid_request' });
  const known = [...realm.tokens.accessTokens, ...realm.tokens.refreshTokens];
  const owner = known.find(({ value }) => value === token)?.grant.clientId;
  if (owner !== undefined && owner !== client.value.id) {
    return oauthError({ error: 'invalid_grant', description: 'the token is of another client' });
  }
  realm.tokens.revoke(token);
  return empty(200);
}
