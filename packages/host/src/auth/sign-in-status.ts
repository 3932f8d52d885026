// The state of the sign-ins at one server, from the store: issuer, account, scopes, expiry, and whether the
// user has to sign in. Holds no token and no part of one, and sends no request.

import { definedFields, err, type Instant, ok, type Result } from '@plugboard/base';
import { httpUrl, type RemoteServer } from '../protocol/index.ts';
import type { CredentialStore, StoreProblem } from './credential-store.ts';
import type { Credential } from './credential.ts';
import { isMachine } from './machine-grant.ts';
import { type OAuthSettings, readOAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts } from './ports.ts';
import { entryHash } from './record-name.ts';
import type { Refusal } from './refusal-memory.ts';

/** How a server's tokens are obtained. */
export type SignInGrant = OAuthSettings['grant'] | 'cross-app-access';

export interface SignInFacts {
  readonly account: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly obtainedAt: Instant;
  /** Absent if the authorization server did not report it. */
  readonly expiresAt?: Instant;
  /** Another token can be obtained without a sign-in. */
  readonly isRenewable: boolean;
}

export interface KnownSignIns {
  readonly grant: SignInGrant;
  /** The account that the server is used with. */
  readonly account: string;
  /** One for each stored account, in the order of their names. */
  readonly kept: readonly SignInFacts[];
  /** The user has to sign in as that account, and has not done so since. */
  readonly refusal: Refusal | undefined;
}

/** The error of settings is the field that cannot be read. */
export type StatusProblem =
  | StoreProblem
  | { readonly kind: 'bad-settings'; readonly field: string };

export async function knownSignIns(
  server: RemoteServer,
  { store, refusals }: Pick<AuthorizationPorts, 'store' | 'refusals'>,
): Promise<Result<KnownSignIns, StatusProblem>> {
  const read = readOAuthSettings(server.oauth);
  if (!read.ok) return err({ kind: 'bad-settings', field: `oauth.${read.error}` });
  const settings = read.value;
  const { account, clientId: client = '', xaa, grant } = settings;
  const url = httpUrl(server.url);
  const kept = await factsAt({ url, client, settings }, store);
  if (!kept.ok) return kept;
  const refusal = await refusals.recall({ url, account, client, entry: entryHash(server) });
  const own = kept.value.find((facts) => facts.account === account);
  const isOver = refusal !== undefined && own !== undefined && own.obtainedAt > refusal.at;
  return ok({
    grant: xaa === undefined ? grant : 'cross-app-access',
    account,
    kept: kept.value,
    refusal: isOver ? undefined : refusal,
  });
}

interface SignInPlace {
  readonly url: string;
  readonly client: string;
  readonly settings: OAuthSettings;
}

async function factsAt(
  { url, client, settings }: SignInPlace,
  store: CredentialStore,
): Promise<Result<readonly SignInFacts[], StoreProblem>> {
  const servers = await store.servers.list();
  if (!servers.ok) return servers;
  const facts: SignInFacts[] = [];
  for (const known of servers.value) {
    if (known.url !== url || known.client !== client) continue;
    const kept = await store.credentials.read(known.credential);
    if (!kept.ok) return kept;
    if (kept.value === undefined) continue;
    facts.push({ ...factOf(kept.value, settings), account: known.account });
  }
  return ok(facts.toSorted((a, b) => (a.account < b.account ? -1 : 1)));
}

function factOf(credential: Credential, settings: OAuthSettings): SignInFacts {
  const { account, issuer, scope = '', obtainedAt, expiresAt, refreshToken } = credential;
  return {
    account,
    issuer,
    scopes: scope.split(/\s+/).filter((word) => word !== ''),
    obtainedAt,
    ...definedFields({ expiresAt }),
    isRenewable: refreshToken !== undefined || isMachine(settings),
  };
}
