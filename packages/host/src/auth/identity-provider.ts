// Cross-App Access: an identity provider at which the user signed in once vouches for them at the authorization
// servers of all servers that name it.
// https://datatracker.ietf.org/doc/draft-ietf-oauth-identity-assertion-authz-grant/

import { definedFields, err, isObject, ok, parseJson } from '@plugboard/base';
import {
  type AuthorizationServer,
  discoverIdentityProvider,
  type OAuthClient,
} from '../protocol/index.ts';
import { isExpiring } from './credential.ts';
import type { LoginWay } from './login-way.ts';
import { type CrossAppAccess, type OAuthSettings, readOAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';
import { refreshCredential } from './renew.ts';
import { signInBy } from './sign-in-by.ts';

export interface VouchRequest {
  readonly xaa: CrossAppAccess;
  readonly account: string;
  readonly audience: AuthorizationServer;
  readonly scope: string | undefined;
  /** How the user can sign in there, if they can. */
  readonly way: LoginWay | undefined;
  readonly signal: AbortSignal;
}

/** A grant that the authorization server of the resource accepts. */
export async function vouchedGrant(
  options: VouchRequest,
  ports: AuthorizationPorts,
): AuthorizationResult<string> {
  const { xaa, audience, scope } = options;
  const provider = await discoverIdentityProvider(xaa, ports.providerFetch);
  if (!provider.ok) return provider;
  const idToken = await idTokenOf(provider.value, options, ports);
  if (!idToken.ok) return idToken;
  return provider.value.exchangeIdToken({
    client: clientOf(xaa),
    idToken: idToken.value,
    audience: audience.issuer,
    resource: audience.resource ?? '',
    scope,
  });
}

async function idTokenOf(
  provider: AuthorizationServer,
  { xaa, account, way, signal }: VouchRequest,
  ports: AuthorizationPorts,
): AuthorizationResult<string> {
  if (xaa.idToken !== undefined) return ok(xaa.idToken);
  const { issuer } = provider;
  const key = { issuer, client: xaa.clientId, account, resource: '' };
  const kept = await ports.store.credentials.read(key);
  if (!kept.ok) return kept;
  const { idToken, refreshToken, accessToken } = kept.value ?? {};
  if (idToken !== undefined && !isStale(idToken, ports.clock.now())) return ok(idToken);
  if (refreshToken !== undefined) {
    const client = clientOf(xaa);
    const refresh = (token: string) => provider.refresh({ client, refreshToken: token });
    const renewed = await refreshCredential({ key, refused: accessToken, refresh }, ports);
    const fresh = renewed.ok ? renewed.value.idToken : undefined;
    if (fresh !== undefined && !isStale(fresh, ports.clock.now())) return ok(fresh);
  }
  if (way === undefined) return err({ kind: 'sign-in-needed', issuer });
  const settings = providerSettings(xaa, account);
  const scope = provider.offersOfflineAccess ? 'openid offline_access' : 'openid';
  const terms = { server: provider, settings, scope, dpop: undefined, signal };
  const signedIn = await signInBy(way, terms, ports);
  if (!signedIn.ok) return signedIn;
  const token = signedIn.value.idToken;
  return token === undefined ? err({ kind: 'bad-answer', url: issuer }) : ok(token);
}

function clientOf({ clientId, clientSecret }: CrossAppAccess): OAuthClient {
  return { id: clientId, ...definedFields({ secret: clientSecret }) };
}

function providerSettings(xaa: CrossAppAccess, account: string): OAuthSettings {
  const { clientId, clientSecret, callbackPort, callbackHost } = xaa;
  const read = readOAuthSettings({ clientId, clientSecret, account, callbackPort, callbackHost });
  if (!read.ok) throw new Error(`a checked field became unreadable: ${read.error}`);
  return read.value;
}

/** Only reads the expiry; the recipients of the token verify it. */
function isStale(idToken: string, now: number): boolean {
  const [, payload = ''] = idToken.split('.');
  const text = Buffer.from(payload, 'base64url').toString('utf8');
  const parsed = parseJson(text, { maxLength: 64 * 1024, maxDepth: 16 });
  const exp = parsed.ok && isObject(parsed.value) ? parsed.value['exp'] : undefined;
  if (typeof exp !== 'number') return false;
  return isExpiring({ expiresAt: exp * 1000 }, now);
}
