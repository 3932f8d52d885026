// As which client to talk to an authorization server: the one that is configured, else the one that a
// document describes, else one that is registered now, and kept for the next time.

import { err, ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizationServer, OAuthClient } from '../protocol/index.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts } from './ports.ts';

type ClientPorts = Pick<
  AuthorizationPorts,
  'store' | 'clientMetadataUrl' | 'clientName' | 'ending'
>;
type Chosen<T> = Promise<Result<T, AuthorizationProblem>>;

export function configuredClient(settings: OAuthSettings): OAuthClient | undefined {
  const { clientId, clientSecret, privateKey, privateKeyAlgorithm } = settings;
  if (clientId === undefined) return undefined;
  return {
    id: clientId,
    ...(clientSecret === undefined ? {} : { secret: clientSecret }),
    ...(privateKey === undefined
      ? {}
      : { privateKey: { pem: privateKey, algorithm: privateKeyAlgorithm } }),
  };
}

/** The client that was used before or would be now; nothing where one would have to be registered. */
export async function knownClient(
  server: AuthorizationServer,
  settings: OAuthSettings,
  ports: ClientPorts,
): Chosen<OAuthClient | undefined> {
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  const registered = await ports.store.registrations.read({ issuer: server.issuer });
  return registered.ok ? ok(registered.value?.client) : registered;
}

export async function clientForSignIn(
  server: AuthorizationServer,
  wish: {
    readonly settings: OAuthSettings;
    readonly redirectUrl: string;
    readonly scope: string | undefined;
  },
  ports: ClientPorts,
): Chosen<OAuthClient> {
  const { settings, redirectUrl, scope } = wish;
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  const { issuer } = server;
  if (!server.registersClients) return err({ kind: 'client-id-needed', issuer });
  let problem: AuthorizationProblem | undefined;
  const kept = await ports.store.registrations.update(
    { issuer },
    async (now) => {
      if (now?.redirectUrl === redirectUrl) return now;
      const made = await server.register({ redirectUrl, scope, name: ports.clientName });
      if (made.ok) return { issuer, client: made.value, redirectUrl };
      problem = made.error;
      return now;
    },
    ports.ending,
  );
  if (!kept.ok) return kept;
  if (problem !== undefined) return err(problem);
  return kept.value === undefined
    ? err({ kind: 'client-id-needed', issuer })
    : ok(kept.value.client);
}

function givenClient(
  server: AuthorizationServer,
  settings: OAuthSettings,
  ports: ClientPorts,
): OAuthClient | undefined {
  const url = settings.clientMetadataUrl ?? ports.clientMetadataUrl;
  const described =
    url !== undefined && server.takesClientMetadataUrl
      ? { id: url, authMethod: 'none' }
      : undefined;
  return configuredClient(settings) ?? described;
}
