// The metadata of the server (RFC 8414, OpenID Connect Discovery), and its paths.

import type { JsonObject } from '@plugboard/base';
import { SIGNATURE_ALGORITHMS } from './jwt.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import type { DiscoveryPlace, Settings } from './options.ts';
import { endpointOf, type Realm } from './realm.ts';

export const GRANT_TYPES = {
  authorizationCode: 'authorization_code',
  refreshToken: 'refresh_token',
  clientCredentials: 'client_credentials',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
} as const;

export const PATHS = {
  authorization: '/authorize',
  decision: '/decide',
  token: '/token',
  registration: '/register',
  deviceAuthorization: '/device_authorization',
  device: '/device',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** The paths of the metadata. */
export function metadataPaths({ issuerPath, discovery, metadataPath }: Settings): string[] {
  const paths: Readonly<Record<DiscoveryPlace, string>> = {
    oauth: `/.well-known/oauth-authorization-server${issuerPath}`,
    oidc: `/.well-known/openid-configuration${issuerPath}`,
    'oidc-appended': `${issuerPath}/.well-known/openid-configuration`,
  };
  const places = discovery.map((place) => paths[place]);
  return metadataPath === undefined ? places : [...places, metadataPath];
}

export function metadataOf(realm: Realm): JsonObject {
  const { settings } = realm;
  const at = (path: string): string => endpointOf(realm, path);
  const document: JsonObject = {
    issuer: realm.issuer,
    authorization_endpoint: at(PATHS.authorization),
    token_endpoint: at(PATHS.token),
    revocation_endpoint: at(PATHS.revocation),
    device_authorization_endpoint: at(PATHS.deviceAuthorization),
    jwks_uri: at(PATHS.jwks),
    scopes_supported: [...settings.scopesSupported],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: Object.values(GRANT_TYPES),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: [
      'none',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: [...SIGNATURE_ALGORITHMS],
    authorization_response_iss_parameter_supported: true,
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    ...(settings.registration === 'unsupported'
      ? {}
      : { registration_endpoint: at(PATHS.registration) }),
    ...(settings.clientDocuments === 'unsupported'
      ? {}
      : { client_id_metadata_document_supported: true }),
    ...(settings.dpop === 'off'
      ? {}
      : { dpop_signing_alg_values_supported: [...SIGNATURE_ALGORITHMS] }),
  };
  const { misbehaviour } = realm.now;
  return overwritten({ ...document, ...pkceMethods(misbehaviour) }, misbehaviour.metadata);
}

function pkceMethods({ pkceAdvertised }: Misbehaviour): JsonObject {
  if (pkceAdvertised === 'absent') return {};
  return { code_challenge_methods_supported: [pkceAdvertised === 'plain' ? 'plain' : 'S256'] };
}

/** Overrides fields of a document; `null` removes a field. */
export function overwritten(document: JsonObject, fields: JsonObject = {}): JsonObject {
  const entries = Object.entries({ ...document, ...fields });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
