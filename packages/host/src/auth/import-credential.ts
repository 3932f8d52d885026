// Imports tokens that the user obtained elsewhere as the credential of a server, as after a sign-in: bound to
// the issuer, the client, the account and the resource. The server determines the issuer, unless both are
// given.

import { definedFields, err, ok, type Result } from '@plugboard/base';
import {
  type AuthorizationProblem,
  discoverAuthorization,
  type OAuthClient,
} from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import { type Credential, credentialKey } from './credential.ts';
import { isMachine } from './machine-grant.ts';
import type { AuthorizationPorts, AuthorizedServer } from './ports.ts';
import { type ImportedProblem, type ImportedTokens, readImported } from './read-imported.ts';
import { ServerMemory } from './server-memory.ts';

export type ImportProblem =
  | ImportedProblem
  /** The server uses a machine grant. */
  | { readonly kind: 'machine' }
  /** A refresh token is only accepted from the client that it was issued to. */
  | { readonly kind: 'client-needed' }
  /** The entry names another client, or lacks its secret. */
  | { readonly kind: 'other-client'; readonly field: 'client_id' | 'client_secret' }
  /** The tokens are from one issuer, and the server names another. */
  | { readonly kind: 'other-issuer'; readonly named: string }
  | AuthorizationProblem;

type ImportResult<T> = Promise<Result<T, ImportProblem>>;

export async function importCredential(
  server: AuthorizedServer,
  given: unknown,
  ports: AuthorizationPorts,
): ImportResult<Credential> {
  const { settings } = server;
  if (isMachine(settings)) return err({ kind: 'machine' });
  const now = ports.clock.now();
  const read = readImported(given, now);
  if (!read.ok) return read;
  const tokens = read.value;
  const client = clientOf(tokens, configuredClient(settings));
  if (!client.ok) return client;
  const place = await credentialPlace(server, tokens, ports);
  if (!place.ok) return place;
  const isOurs = client.value !== undefined && settings.clientId === undefined;
  const { accessToken, refreshToken, expiresAt, scope } = tokens;
  const credential: Credential = {
    ...place.value,
    client: client.value?.id ?? '',
    account: settings.account,
    accessToken,
    kind: 'bearer',
    obtainedAt: now,
    ...definedFields({
      refreshToken,
      expiresAt,
      scope,
      requestedScope: scope,
      registered: isOurs ? client.value : undefined,
    }),
  };
  const { store, ending } = ports;
  const key = credentialKey(credential);
  const kept = await store.credentials.update(key, () => Promise.resolve(credential), ending);
  if (!kept.ok) return kept;
  const remembered = await new ServerMemory(server, ports).remember(credential, undefined);
  return remembered.ok ? ok(credential) : remembered;
}

function clientOf(
  { clientId, clientSecret, refreshToken }: ImportedTokens,
  configured: OAuthClient | undefined,
): Result<OAuthClient | undefined, ImportProblem> {
  if (configured !== undefined) {
    if (clientId !== undefined && clientId !== configured.id) {
      return err({ kind: 'other-client', field: 'client_id' });
    }
    // Later only the client in the entry is used.
    const isLost = clientSecret !== undefined && clientSecret !== configured.secret;
    return isLost ? err({ kind: 'other-client', field: 'client_secret' }) : ok(configured);
  }
  if (clientId === undefined) {
    return refreshToken === undefined ? ok(undefined) : err({ kind: 'client-needed' });
  }
  return ok({ id: clientId, ...definedFields({ secret: clientSecret }) });
}

async function credentialPlace(
  server: AuthorizedServer,
  { issuer, resource }: ImportedTokens,
  ports: AuthorizationPorts,
): ImportResult<Pick<Credential, 'issuer' | 'resource'>> {
  if (issuer !== undefined && resource !== undefined) return ok({ issuer, resource });
  const found = await discoverAuthorization(server.url, {
    fetch: ports.fetch,
    metadataUrl: server.settings.authServerMetadataUrl,
    issuer: server.settings.issuer,
  });
  if (!found.ok) return found;
  const meant = await new ServerMemory(server, ports).checkIssuer(found.value);
  if (!meant.ok) return meant;
  const { issuer: named, resource: own = '' } = meant.value;
  if (issuer !== undefined && issuer !== named) return err({ kind: 'other-issuer', named });
  return ok({ issuer: named, resource: resource ?? own });
}
