// Authenticates the client of a token request: by a secret in the header or the body, by an assertion signed with its
// key, or only by its id if it has no secret.

import { err, ok, type Result } from '@plugboard/base';
import type { OAuthError } from './answer.ts';
import type { Client, ClientAuthentication } from './client-registry.ts';
import { assertionProblem } from './grant-machine.ts';
import { readJwt, optionalText, verifyJwt } from './jwt.ts';
import { GRANT_TYPES } from './metadata.ts';
import type { Realm } from './realm.ts';
import type { LoggedRequest } from './request-log.ts';

/** The client that a request names, and its credentials. */
interface Claim {
  readonly method: ClientAuthentication;
  readonly clientId: string;
  readonly secret?: string;
  readonly assertion?: string;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export async function authenticate(
  request: LoggedRequest,
  realm: Realm,
): Promise<Result<Client, OAuthError>> {
  const claim = claimOf(request);
  if (claim === undefined) return workload(request) ?? unknown('no client was named');
  const client = await realm.clients.find(claim.clientId);
  if (client === undefined) return unknown('no such client');
  if (client.authentication !== claim.method) {
    return unknown(`this client uses ${client.authentication}, not ${claim.method}`);
  }
  switch (claim.method) {
    case 'none':
      return ok(client);
    case 'client_secret_basic':
    case 'client_secret_post':
      return checkSecret(client, claim.secret, realm);
    case 'private_key_jwt':
      return checkAssertion(client, claim.assertion ?? '', realm);
    default:
      return claim.method satisfies never;
  }
}

function claimOf({ headers, parameters }: LoggedRequest): Claim | undefined {
  const basic = /^basic (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const method = 'client_secret_basic';
    return { method, clientId: formDecoded(id), secret: formDecoded(secret) };
  }
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = parameters;
  if (assertion !== undefined && parameters.client_assertion_type === ASSERTION_TYPE) {
    const named = clientId ?? optionalText(readJwt(assertion)?.claims.sub) ?? '';
    return { method: 'private_key_jwt', clientId: named, assertion };
  }
  if (clientId === undefined) return undefined;
  if (secret !== undefined) return { method: 'client_secret_post', clientId, secret };
  return { method: 'none', clientId };
}

/** A workload need not be a registered client: its assertion identifies it, and the grant checks that. */
function workload({ parameters }: LoggedRequest): Result<Client, never> | undefined {
  if (parameters.grant_type !== GRANT_TYPES.jwtBearer) return undefined;
  const id = optionalText(readJwt(parameters.assertion ?? '')?.claims.sub) ?? '';
  return ok({ id, name: id, redirectUris: [], authentication: 'none', registeredBy: 'hand' });
}

function checkSecret(
  client: Client,
  secret: string | undefined,
  realm: Realm,
): Result<Client, OAuthError> {
  if (client.secret === undefined || secret !== client.secret) return unknown('wrong secret');
  const ended = client.secretEnds !== undefined && realm.clock.now() >= client.secretEnds;
  return ended ? unknown('the secret expired') : ok(client);
}

function checkAssertion(
  client: Client,
  assertion: string,
  realm: Realm,
): Result<Client, OAuthError> {
  const claims = verifyJwt(assertion, client.keys ?? [])?.claims;
  if (claims === undefined) return unknown('the assertion is not signed by the client');
  if (claims.iss !== client.id || claims.sub !== client.id) return unknown('of another client');
  if (typeof claims.jti !== 'string') return unknown('the assertion has no jti');
  const problem = assertionProblem(realm, claims);
  if (problem !== undefined) return unknown(problem);
  realm.usedAssertions.add(claims.jti);
  return ok(client);
}

function unknown(description: string): Result<never, OAuthError> {
  const headers = { 'www-authenticate': 'Basic realm="token"' };
  return err({ error: 'invalid_client', description, status: 401, headers });
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? '';
}
