// Issues tokens without a user: to an authenticated client, and for an assertion of a trusted issuer, about a workload
// or (an ID-JAG of Cross-App Access) about a user who signed in elsewhere.

import { err, ok, type Result } from '@plugboard/base';
import type { OAuthError } from './answer.ts';
import { type Claims, type ReadJwt, readJwt, optionalText, verifyJwt } from './jwt.ts';
import { PATHS } from './metadata.ts';
import { endpointOf, type Realm } from './realm.ts';
import { type GrantType, grantAsked, scopesOf } from './token-request.ts';

export const ID_JAG_TYPE = 'oauth-id-jag+jwt';

export const clientCredentials: GrantType = (request) => {
  if (request.client.authentication === 'none') {
    return err({ error: 'unauthorized_client', description: 'the client cannot prove itself' });
  }
  const grant = grantAsked(request, request.client.id);
  return ok({ kind: 'tokens', grant, refresh: { kind: 'none' } });
};

export const jwtBearer: GrantType = (request) => {
  const { realm, client, parameters } = request;
  const checked = checkAssertion(realm, parameters.assertion ?? '');
  if (!checked.ok) return checked;
  const { header, claims } = checked.value;
  if (header.typ === ID_JAG_TYPE && claims.client_id !== client.id) {
    return err({ error: 'invalid_grant', description: 'the assertion is for another client' });
  }
  if (typeof claims.jti === 'string') realm.usedAssertions.add(claims.jti);
  const asked = grantAsked(request, optionalText(claims.sub) ?? '');
  if (header.typ !== ID_JAG_TYPE) {
    return ok({ kind: 'tokens', grant: asked, refresh: { kind: 'none' } });
  }
  const resource = typeof claims.resource === 'string' ? { resource: claims.resource } : {};
  const scopes = scopesOf(parameters.scope ?? optionalText(claims.scope));
  const grant = { ...asked, ...resource, scopes };
  return ok({ kind: 'tokens', grant, refresh: { kind: 'none' } });
};

/** Checks that an assertion is for this server, from a trusted issuer, and unused. */
function checkAssertion(realm: Realm, assertion: string): Result<ReadJwt, OAuthError> {
  const issuer = readJwt(assertion)?.claims.iss;
  const trusted = realm.settings.trusts.find((one) => one.issuer === issuer);
  if (trusted === undefined) return invalid('the issuer of the assertion is not trusted');
  const jwt = verifyJwt(assertion, trusted.publicKeys);
  if (jwt === undefined) return invalid('the assertion is not signed by its issuer');
  const problem = assertionProblem(realm, jwt.claims);
  if (problem !== undefined) return invalid(problem);
  return ok(jwt);
}

/** The problem with the claims that all assertions have, if any. */
export function assertionProblem(realm: Realm, claims: Claims): string | undefined {
  const audiences: readonly unknown[] = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  const own = [realm.issuer, endpointOf(realm, PATHS.token)];
  if (!audiences.some((audience) => own.includes(String(audience)))) {
    return 'the assertion is for another server';
  }
  if (typeof claims.sub !== 'string') return 'the assertion has no subject';
  const seconds = realm.clock.now() / 1000;
  if (typeof claims.exp !== 'number' || claims.exp <= seconds) return 'the assertion expired';
  const used = typeof claims.jti === 'string' && realm.usedAssertions.has(claims.jti);
  return used ? 'the assertion was used before' : undefined;
}

function invalid(description: string): Result<never, OAuthError> {
  return err({ error: 'invalid_grant', description });
}
