// Chooses the client for an authorization server: the configured one, else the one that a metadata document
// describes, else one that is registered now and kept for the next time.

import { err, ok, type Result } from '@plugboard/base';
import type {
  AuthorizationProblem,
  AuthorizationServer,
  OAuthClient,
  RegistrationRequest,
} from '../protocol/index.ts';
import type { Registration } from './credential.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts } from './ports.ts';

type ClientPorts = Pick<
  AuthorizationPorts,
  'store' | 'clientMetadataUrl' | 'clientName' | 'ending'
>;
type ClientChoice<T> = Promise<Result<T, AuthorizationProblem>>;

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

/** The clients that were used before or would be used now; none if one would have to be registered. */
export async function knownClients(
  server: AuthorizationServer,
  settings: OAuthSettings,
  ports: ClientPorts,
): ClientChoice<readonly OAuthClient[]> {
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
  wish: ClientRequest & { readonly redirectUrl: string },
  ports: ClientPorts,
): ClientChoice<OAuthClient> {
  const { settings, redirectUrl, scope } = wish;
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  return registered(server, ports, {
    known: (now) => (now?.redirectUrl === redirectUrl ? now.client : undefined),
    asked: { redirectUrl, scope },
    kept: (client) => ({ client, redirectUrl }),
  });
}

export async function clientForDevice(
  server: AuthorizationServer,
  { settings, scope }: ClientRequest,
  ports: ClientPorts,
): ClientChoice<OAuthClient> {
  const given = givenClient(server, settings, ports);
  if (given !== undefined) return ok(given);
  return registered(server, ports, {
    known: (now) => now?.device,
    asked: { redirectUrl: undefined, scope },
    kept: (device) => ({ device }),
  });
}

/** The registered client, or one that is registered now; concurrent callers register one client. */
async function registered(
  server: AuthorizationServer,
  ports: ClientPorts,
  {
    known,
    asked,
    kept,
  }: {
    readonly known: (now: Registration | undefined) => OAuthClient | undefined;
    readonly asked: Omit<RegistrationRequest, 'name'>;
    readonly kept: (client: OAuthClient) => Partial<Registration>;
  },
): ClientChoice<OAuthClient> {
  const { issuer } = server;
  if (!server.registersClients) return err({ kind: 'client-id-needed', issuer });
  let got: Awaited<ClientChoice<OAuthClient>> = err({ kind: 'client-id-needed', issuer });
  const updated = await ports.store.registrations.update(
    { issuer },
    async (now) => {
      const before = known(now);
      got =
        before === undefined
          ? await server.register({ ...asked, name: ports.clientName })
          : ok(before);
      return before === undefined && got.ok ? { ...now, issuer, ...kept(got.value) } : now;
    },
    ports.ending,
  );
  return updated.ok ? got : updated;
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
