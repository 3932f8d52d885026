// Tokens without a sign-in at the authorization server: for a client known to it, a workload with an assertion,
// or a user who signed in at an identity provider before.

import { err } from '@plugboard/base';
import type { AuthorizationServer, DpopKey, Tokens } from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import type { CrossAppAccess, OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationResult } from './ports.ts';

export function isMachine({ grant, xaa }: OAuthSettings): boolean {
  return grant !== 'authorization_code' || xaa !== undefined;
}

export interface MachineRequest {
  readonly server: AuthorizationServer;
  readonly settings: OAuthSettings;
  readonly scope: string | undefined;
  readonly dpop: DpopKey | undefined;
  /** Obtains the grant of the identity provider. */
  readonly vouch: (xaa: CrossAppAccess) => AuthorizationResult<string>;
}

export async function machineTokens(request: MachineRequest): AuthorizationResult<Tokens> {
  const { server, settings, scope, dpop, vouch } = request;
  const client = configuredClient(settings);
  if (client === undefined) return err({ kind: 'bad-settings', field: 'oauth.clientId' });
  const terms = { client, dpop, scope };
  if (settings.xaa !== undefined) {
    const vouched = await vouch(settings.xaa);
    if (!vouched.ok) return vouched;
    // The grant names its scopes.
    const grant = { kind: 'jwt-bearer', assertion: vouched.value } as const;
    return server.grant({ ...terms, grant, scope: undefined });
  }
  if (settings.grant === 'client_credentials') {
    return server.grant({ ...terms, grant: { kind: 'client-credentials' } });
  }
  const { assertion } = settings;
  if (assertion === undefined) return err({ kind: 'bad-settings', field: 'oauth.assertion' });
  return server.grant({ ...terms, grant: { kind: 'jwt-bearer', assertion } });
}
