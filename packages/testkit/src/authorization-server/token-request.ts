// A token request for the grants: the client is authenticated, and the proof of its key is checked. A grant decides;
// the token endpoint issues the tokens.

import type { JsonObject, Result } from '@plugboard/base';
import type { OAuthError } from './answer.ts';
import type { Client } from './client-registry.ts';
import type { Realm } from './realm.ts';
import type { Parameters } from './request-log.ts';
import type { Grant } from './token-store.ts';

export interface TokenRequest {
  readonly realm: Realm;
  readonly client: Client;
  readonly parameters: Parameters;
  /** The key of the DPoP proof. */
  readonly keyThumbprint: string | undefined;
}

/** The refresh token of the client after the request. */
export type Refresh =
  | { readonly kind: 'none' }
  /** The one that it used. */
  | { readonly kind: 'same' }
  /** For `grant`, if that exceeds the grant of the access token. */
  | { readonly kind: 'new'; readonly grant?: Grant };

export type GrantResult =
  | {
      readonly kind: 'tokens';
      readonly grant: Grant;
      /** The sign-in that these tokens belong to; a new one by default. */
      readonly family?: string;
      readonly refresh: Refresh;
      readonly nonce?: string;
    }
  /** An answer that the grant wrote itself. */
  | { readonly kind: 'answer'; readonly body: JsonObject };

export type GrantType = (
  request: TokenRequest,
) => Result<GrantResult, OAuthError> | Promise<Result<GrantResult, OAuthError>>;

/** The requested grant, for `subject`. */
export function grantAsked(request: TokenRequest, subject: string): Grant {
  const { client, parameters, keyThumbprint } = request;
  return {
    clientId: client.id,
    subject,
    scopes: scopesOf(parameters.scope),
    ...(parameters.resource === undefined ? {} : { resource: parameters.resource }),
    ...(keyThumbprint === undefined ? {} : { keyThumbprint }),
  };
}

export function scopesOf(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((scope) => scope !== '');
}
