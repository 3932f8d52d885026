// Exchanges a refresh token for an access token, and replaces it if the server rotates refresh tokens.

import { err, ok } from '@plugboard/base';
import { type GrantType, scopesOf } from './token-request.ts';

export const refreshToken: GrantType = ({ realm, client, parameters, keyThumbprint }) => {
  const value = parameters.refresh_token ?? '';
  const found = realm.tokens.findRefreshToken(value);
  if (!found.ok) return found;
  const { grant, family } = found.value;
  if (grant.clientId !== client.id) {
    return err({ error: 'invalid_grant', description: 'the token is of another client' });
  }
  // Only its key identifies a client without a secret (RFC 9449, section 5).
  const bound = grant.keyThumbprint;
  if (bound !== undefined && bound !== keyThumbprint && client.authentication === 'none') {
    return err({ error: 'invalid_grant', description: 'the token is bound to another key' });
  }
  if (parameters.resource !== undefined && parameters.resource !== grant.resource) {
    return err({ error: 'invalid_target', description: 'not the resource that was agreed to' });
  }
  const asked = scopesOf(parameters.scope);
  if (asked.some((scope) => !grant.scopes.includes(scope))) {
    return err({ error: 'invalid_scope', description: 'more than was agreed to' });
  }
  const rotates = realm.settings.refreshTokens === 'rotating';
  if (rotates) realm.tokens.spendRefreshToken(value);
  return ok({
    kind: 'tokens',
    grant: asked.length === 0 ? grant : { ...grant, scopes: asked },
    family,
    refresh: rotates ? { kind: 'new', grant } : { kind: 'same' },
  });
};
