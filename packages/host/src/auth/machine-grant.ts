// Tokens without a sign-in at the authorization server: for a client known to it, a workload with an assertion,
// or a user who signed in at an identity provider before.

import { err } from '@plugboard/base';
import type { AuthorizationServer, DpopKey, Tokens } from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import { vouchedGrant } from './identity-provider.ts';
import type { LoginWay } from './login-way.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';

export function isMachine({ grant, xaa }: OAuthSettings): boolean {
  return grant !== 'authorization_code' || xaa !== undefined;
}

export interface MachineRequest {
  readonly server: AuthorizationServer;
  readonly settings: OAuthSettings;
  readonly scope: string | undefined;
  readonly dpop: DpopKey | undefined;
  /** How the user can sign in at the identity provider, if they can. */
  readonly way: LoginWay | undefined;
  readonly signal: AbortSignal;
}

export async function machineTokens(
  request: MachineRequest,
  ports: AuthorizationPorts,
): AuthorizationResult<Tokens> {
  const { server, settings, scope, dpop, way, signal } = request;
  const client = configuredClient(settings);
  if (client === undefined) return err({ kind: 'bad-settings', field: 'oauth.clientId' });
  const terms = { client, dpop, scope };
  const { xaa, account } = settings;
  if (xaa !== undefined) {
    const vouched = await vouchedGrant(
      { xaa, account, audience: server, scope, way, signal },
      ports,
    );
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
