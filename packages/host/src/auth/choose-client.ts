// Chooses the client for an authorization server: the configured one, else the one that a metadata document
// describes, else one that is registered now and stored for the next time.

import { definedFields, err, ok } from '@plugboard/base';
import type { AuthorizationServer, OAuthClient, RegistrationRequest } from '../protocol/index.ts';
import type { Registration } from './credential.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';

type ClientPorts = Pick<
  AuthorizationPorts,
  'store' | 'clientMetadataUrl' | 'clientName' | 'ending'
>;

export function configuredClient(settings: OAuthSettings): OAuthClient | undefined {
  const { clientId, clientSecret, privateKey, privateKeyAlgorithm } = settings;
  if (clientId === undefined) return undefined;
  return {
    id: clientId,
    ...definedFields({
      secret: clientSecret,
      privateKey:
        privateKey === undefined ? undefined : { pem: privateKey, algorithm: privateKeyAlgorithm },
    }),
  };
}

/** The clients that were used before or would be used now; none if one would have to be registered. */
export async function knownClients(
  server: AuthorizationServer,
  settings: OAuthSettings,
  ports: ClientPorts,
): AuthorizationResult<readonly OAuthClient[]> {
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok([given]);
  const kept = await ports.store.registrations.read({ issuer: server.issuer });
  if (!kept.ok) return kept;
  const { client, device } = kept.value ?? {};
  return ok([client, device].filter((each) => each !== undefined));
}

interface ClientRequest {
  readonly settings: OAuthSettings;
  readonly scope: string | undefined;
}

export async function clientForSignIn(
  server: AuthorizationServer,
  options: ClientRequest & { readonly redirectUrl: string },
  ports: ClientPorts,
): AuthorizationResult<OAuthClient> {
  const { settings, redirectUrl, scope } = options;
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  return registeredClient(server, ports, {
    known: (now) => (now?.redirectUrl === redirectUrl ? now.client : undefined),
    request: { redirectUrl, scope },
    record: (client) => ({ client, redirectUrl }),
  });
}

export async function clientForDevice(
  server: AuthorizationServer,
  { settings, scope }: ClientRequest,
  ports: ClientPorts,
): AuthorizationResult<OAuthClient> {
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  return registeredClient(server, ports, {
    known: (now) => now?.device,
    request: { redirectUrl: undefined, scope },
    record: (device) => ({ device }),
  });
}

/** The registered client, or one that is registered now; concurrent callers register one client. */
async function registeredClient(
  server: AuthorizationServer,
  ports: ClientPorts,
  {
    known,
    request,
    record,
  }: {
    readonly known: (now: Registration | undefined) => OAuthClient | undefined;
    readonly request: Omit<RegistrationRequest, 'name'>;
    readonly record: (client: OAuthClient) => Partial<Registration>;
  },
): AuthorizationResult<OAuthClient> {
  const { issuer } = server;
  let registration: Awaited<AuthorizationResult<OAuthClient>>;
  registration = err({ kind: 'client-id-needed', issuer });
  if (!server.registersClients) return registration;
  const updated = await ports.store.registrations.update(
    { issuer },
    async (now) => {
      const before = known(now);
      if (before !== undefined) {
        registration = ok(before);
        return now;
      }
      registration = await server.register({ ...request, name: ports.clientName });
      return registration.ok ? { ...now, issuer, ...record(registration.value) } : now;
    },
    ports.ending,
  );
  return updated.ok ? registration : updated;
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
