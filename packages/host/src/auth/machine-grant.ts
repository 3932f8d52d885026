// Tokens without a sign-in at the authorization server: for a client known to it, a workload with an assertion,
// or a user who signed in at an identity provider before.

import { err, type Result } from '@plugboard/base';
import type {
  AuthorizationProblem,
  AuthorizationServer,
  DpopKey,
  Tokens,
} from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import type { OAuthSettings } from './oauth-settings.ts';

export function isMachine({ grant, xaa }: OAuthSettings): boolean {
  return grant !== 'authorization_code' || xaa !== undefined;
}

export interface MachineWish {
  readonly server: AuthorizationServer;
  readonly settings: OAuthSettings;
  readonly scope: string | undefined;
  readonly dpop: DpopKey | undefined;
  /** The grant of the identity provider, for Cross-App Access. */
  readonly vouch: (
    audience: AuthorizationServer,
    scope: string | undefined,
  ) => Promise<Result<string, AuthorizationProblem>>;
}

export async function machineTokens(
  wish: MachineWish,
): Promise<Result<Tokens, AuthorizationProblem>> {
  const { server, settings, scope, dpop } = wish;
  const client = configuredClient(settings);
  if (client === undefined) return err({ kind: 'bad-settings', field: 'oauth.clientId' });
  const asked = { client, dpop, scope };
  if (settings.xaa !== undefined) {
    const vouched = await wish.vouch(server, scope);
    if (!vouched.ok) return vouched;
    // The grant names its scopes.
    const grant = { kind: 'jwt-bearer', assertion: vouched.value } as const;
    return server.grant({ ...asked, grant, scope: undefined });
  }
  if (settings.grant === 'client_credentials') {
    return server.grant({ ...asked, grant: { kind: 'client-credentials' } });
  }
  const { assertion } = settings;
  if (assertion === undefined) return err({ kind: 'bad-settings', field: 'oauth.assertion' });
  return server.grant({ ...asked, grant: { kind: 'jwt-bearer', assertion } });
}
