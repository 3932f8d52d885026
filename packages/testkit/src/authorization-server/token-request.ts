// A request for tokens as the grants see it: who asks is known and the proof of the key is checked.
// A grant decides what is given; the token endpoint makes the tokens.

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
  /** Of the key that a DPoP proof came from. */
  readonly keyThumbprint: string | undefined;
}

/** Which refresh token the client has afterwards. */
export type Refresh =
  | { readonly kind: 'none' }
  /** The one it used. */
  | { readonly kind: 'same' }
  /** For `grant` where that is more than what the access token is for. */
  | { readonly kind: 'new'; readonly grant?: Grant };

export type GrantResult =
  | {
      readonly kind: 'tokens';
      readonly grant: Grant;
      /** The sign-in that these tokens come of; a new one by default. */
      readonly family?: string;
      readonly refresh: Refresh;
      readonly nonce?: string;
    }
  /** An answer that the grant wrote itself. */
  | { readonly kind: 'answer'; readonly body: JsonObject };

export type GrantType = (
  request: TokenRequest,
) => Result<GrantResult, OAuthError> | Promise<Result<GrantResult, OAuthError>>;

/** What the client asked for, for `subject`. */
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
