// The endpoint that exchanges codes, refresh tokens, secrets and assertions for tokens: authenticates the client,
// checks the proof of its key, lets the grant decide, and issues the tokens.

import { err, type JsonObject, ok, type Result } from '@plugboard/base';
import { type Answer, empty, json, oauthError, type OAuthError } from './answer.ts';
import { authenticate } from './client-authentication.ts';
import { authorizationCode } from './grant-authorization-code.ts';
import { clientCredentials, jwtBearer } from './grant-machine.ts';
import { refreshToken } from './grant-refresh-token.ts';
import { tokenExchange } from './grant-token-exchange.ts';
import { GRANT_TYPES, overwritten, PATHS } from './metadata.ts';
import { endpointOf, type Realm } from './realm.ts';
import type { LoggedRequest } from './request-log.ts';
import type { GrantResult, GrantType } from './token-request.ts';
import type { AccessToken, Grant } from './token-store.ts';

const deviceCode: GrantType = ({ realm, client, parameters, keyThumbprint }) => {
  const polled = realm.devices.poll(parameters.device_code ?? '', client.id);
  if (!polled.ok) return polled;
  const bound = keyThumbprint === undefined ? {} : { keyThumbprint };
  return ok({ kind: 'tokens', grant: { ...polled.value, ...bound }, refresh: { kind: 'new' } });
};

const GRANTS = new Map<string | undefined, GrantType>([
  [GRANT_TYPES.authorizationCode, authorizationCode],
  [GRANT_TYPES.refreshToken, refreshToken],
  [GRANT_TYPES.clientCredentials, clientCredentials],
  [GRANT_TYPES.jwtBearer, jwtBearer],
  [GRANT_TYPES.tokenExchange, tokenExchange],
  [GRANT_TYPES.deviceCode, deviceCode],
]);

export async function tokenEndpoint(request: LoggedRequest, realm: Realm): Promise<Answer> {
  if (request.method !== 'POST') return empty(405);
  keepReceived(request, realm);
  const given = await decide(request, realm);
  const answer = given.ok ? json(write(given.value, realm)) : oauthError(given.error);
  const { nonce } = realm.proofs;
  if (nonce === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'dpop-nonce': nonce } };
}

async function decide(
  request: LoggedRequest,
  realm: Realm,
): Promise<Result<GrantResult, OAuthError>> {
  const { parameters } = request;
  const grantType = GRANTS.get(parameters.grant_type);
  if (grantType === undefined) return err({ error: 'unsupported_grant_type' });
  const client = await authenticate(request, realm);
  if (!client.ok) return client;
  const allowed = client.value.grantTypes;
  if (allowed !== undefined && !allowed.includes(String(parameters.grant_type))) {
    return err({ error: 'unauthorized_client', description: 'not registered for this grant' });
  }
  if (realm.settings.resourceIndicator === 'required' && parameters.resource === undefined) {
    return err({ error: 'invalid_target', description: 'no resource was named' });
  }
  const key = checkProof(request, realm);
  if (!key.ok) return key;
  return grantType({ realm, client: client.value, parameters, keyThumbprint: key.value });
}

function checkProof(request: LoggedRequest, realm: Realm): Result<string | undefined, OAuthError> {
  const { dpop } = realm.settings;
  const proof = request.headers['dpop'];
  if (dpop === 'off') return ok(undefined);
  if (proof === undefined) {
    return dpop === 'accepted'
      ? ok(undefined)
      : err({ error: 'invalid_dpop_proof', description: 'a proof is needed' });
  }
  const url = endpointOf(realm, PATHS.token);
  return realm.proofs.check({ proof: String(proof), method: request.method, url });
}

function write(given: GrantResult, realm: Realm): JsonObject {
  if (given.kind === 'answer') return given.body;
  const { tokens: wrong = {} } = realm.now.misbehaviour;
  const { narrowTo } = wrong;
  const scopes = given.grant.scopes.filter((scope) => narrowTo?.includes(scope) ?? true);
  const grant = { ...given.grant, scopes };
  const accessToken = realm.tokens.issueAccessToken(grant, given.family);
  const type = grant.keyThumbprint === undefined ? 'Bearer' : 'DPoP';
  const body: JsonObject = {
    access_token: accessToken.value,
    token_type: wrong.type ?? type,
    ...expiry(realm),
    ...(wrong.scope === 'missing' ? {} : { scope: scopes.join(' ') }),
    ...refreshPart(given, accessToken, realm),
    ...(scopes.includes('openid') ? { id_token: idToken(grant, given.nonce, realm) } : {}),
  };
  return overwritten(body, wrong.fields);
}

function expiry({ settings, now }: Realm): JsonObject {
  const seconds = settings.accessTokenSeconds;
  const wrong = now.misbehaviour.tokens?.expiresIn;
  if (wrong === 'missing') return {};
  return { expires_in: wrong === 'text' ? String(seconds) : seconds };
}

function refreshPart(
  { refresh }: GrantResult & { kind: 'tokens' },
  { grant, family }: AccessToken,
  realm: Realm,
): JsonObject {
  const { refreshTokens, refreshTokensFor } = realm.settings;
  if (refresh.kind === 'none' || refreshTokens === 'none') return {};
  // Without a new one, the client keeps its refresh token (RFC 6749).
  if (refresh.kind === 'same') return {};
  if (refreshTokensFor === 'offline-access' && !grant.scopes.includes('offline_access')) return {};
  return { refresh_token: realm.tokens.issueRefreshToken(refresh.grant ?? grant, family).value };
}

function idToken(grant: Grant, nonce: string | undefined, realm: Realm): string {
  const seconds = Math.floor(realm.clock.now() / 1000);
  const claims: JsonObject = {
    iss: realm.issuer,
    sub: grant.subject,
    aud: grant.clientId,
    iat: seconds,
    exp: seconds + realm.settings.accessTokenSeconds,
    ...(nonce === undefined ? {} : { nonce }),
  };
  return realm.secrets.keep('id-token', realm.signer.sign(claims));
}

/** Secrets that the client made and sent are recorded, too. */
function keepReceived({ parameters }: LoggedRequest, { secrets }: Realm): void {
  const { code_verifier: verifier, client_assertion: proof, assertion } = parameters;
  if (verifier !== undefined) secrets.keep('code-verifier', verifier);
  if (proof !== undefined) secrets.keep('client-assertion', proof);
  if (assertion !== undefined) secrets.keep('assertion', assertion);
}
