// Stores the result of any kind of sign-in as a credential under its full key.

import { definedFields, ok } from '@plugboard/base';
import type { AuthorizationServer, DpopKey, OAuthClient, Tokens } from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import { type Credential, credentialKey, withTokens } from './credential.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';

/** What was determined before the user is asked. */
export interface SignInTerms {
  readonly server: AuthorizationServer;
  readonly settings: OAuthSettings;
  readonly scope: string | undefined;
  readonly dpop: DpopKey | undefined;
}

export async function keepSignIn(
  { server, settings, scope, dpop }: SignInTerms,
  { client, tokens }: { readonly client: OAuthClient; readonly tokens: Tokens },
  { store, clock, ending }: AuthorizationPorts,
): AuthorizationResult<Credential> {
  const isOurs = configuredClient(settings) === undefined;
  const credential = withTokens(
    {
      issuer: server.issuer,
      client: client.id,
      account: settings.account,
      resource: server.resource ?? '',
      ...definedFields({
        requestedScope: scope,
        registered: isOurs ? client : undefined,
        dpopKey: dpop?.jwk,
      }),
    },
    tokens,
    clock.now(),
  );
  const put = (): Promise<Credential> => Promise.resolve(credential);
  const kept = await store.credentials.update(credentialKey(credential), put, ending);
  return kept.ok ? ok(credential) : kept;
}
