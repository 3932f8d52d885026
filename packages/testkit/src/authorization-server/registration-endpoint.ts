// The endpoint at which unknown clients register (RFC 7591). The valid redirect addresses depend on the declared type:
// a native application or a web application.

import { err, isObject, isUrl, type JsonObject, ok, type Result } from '@plugboard/base';
import { type Answer, empty, json, oauthError, type OAuthError } from './answer.ts';
import {
  type Client,
  type ClientAuthentication,
  isTexts,
  loopback,
  newClientId,
} from './client-registry.ts';
import { optionalText } from './jwt.ts';
import { GRANT_TYPES, overwritten } from './metadata.ts';
import type { Realm } from './realm.ts';
import { type LoggedRequest, parsed } from './request-log.ts';

const METHODS: readonly ClientAuthentication[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
];

export function registrationEndpoint({ method, body }: LoggedRequest, realm: Realm): Answer {
  if (method !== 'POST') return empty(405);
  if (realm.settings.registration === 'unsupported') return empty(404);
  if (realm.settings.registration === 'refused') {
    return oauthError({ error: 'access_denied', description: 'not for everybody', status: 403 });
  }
  const asked = parsed(body);
  const client = isObject(asked) ? register(asked, realm) : invalid('no JSON object');
  if (!client.ok) return oauthError(client.error);
  realm.clients.add(client.value);
  const answer = { ...(asked as JsonObject), ...written(client.value, realm) };
  return json(overwritten(answer, realm.now.misbehaviour.registration), 201);
}

/** The used fields; others are returned unchanged. */
type RegistrationFields = {
  readonly [
    Field in
      | 'application_type'
      | 'client_name'
      | 'grant_types'
      | 'redirect_uris'
      | 'token_endpoint_auth_method'
  ]?: unknown;
};

function register(asked: RegistrationFields, realm: Realm): Result<Client, OAuthError> {
  const grantTypes = asked.grant_types ?? [GRANT_TYPES.authorizationCode];
  const redirectUris = asked.redirect_uris ?? [];
  if (!isTexts(grantTypes) || !isTexts(redirectUris)) return invalid('not a list of texts');
  const applicationType = optionalText(asked.application_type) ?? 'web';
  const wrong = redirectUris.find((uri) => !mayReturn(uri, applicationType));
  const none = grantTypes.includes(GRANT_TYPES.authorizationCode) && redirectUris.length === 0;
  if (wrong !== undefined || none) {
    const description = none ? 'none' : `not for an application of type ${applicationType}`;
    return err({ error: 'invalid_redirect_uri', description });
  }
  const authentication = METHODS.find(
    (method) => method === (asked.token_endpoint_auth_method ?? 'client_secret_basic'),
  );
  if (authentication === undefined) return invalid('unknown token_endpoint_auth_method');
  const id = newClientId();
  const client: Client = {
    id,
    name: optionalText(asked.client_name) ?? id,
    redirectUris,
    authentication,
    grantTypes,
    applicationType,
    registeredBy: 'itself',
  };
  return ok(authentication.startsWith('client_secret') ? withSecret(client, realm) : client);
}

function withSecret(client: Client, { clock, secrets, settings }: Realm): Client {
  const { clientSecretSeconds: seconds } = settings;
  const ends = seconds === undefined ? {} : { secretEnds: clock.now() + seconds * 1000 };
  return { ...client, secret: secrets.mint('client-secret'), ...ends };
}

function written(client: Client, { clock }: Realm): JsonObject {
  const ends = Math.floor((client.secretEnds ?? 0) / 1000);
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(clock.now() / 1000),
    redirect_uris: [...client.redirectUris],
    grant_types: [...(client.grantTypes ?? [])],
    response_types: ['code'],
    token_endpoint_auth_method: client.authentication,
    ...(client.secret === undefined
      ? {}
      : { client_secret: client.secret, client_secret_expires_at: ends }),
  };
}

/** The rule of OpenID Connect: web applications use https and not localhost; all others are native. */
function mayReturn(uri: string, applicationType: string): boolean {
  if (!isUrl(uri) || uri.includes('#')) return false;
  const secure = new URL(uri).protocol === 'https:';
  if (applicationType === 'web') return secure && new URL(uri).hostname !== 'localhost';
  return secure || loopback(uri) !== undefined || !uri.startsWith('http');
}

function invalid(description: string): Result<never, OAuthError> {
  return err({ error: 'invalid_client_metadata', description });
}
