// The way to OAuth for the rooms above. The SDK is loaded when the first step is taken, since most
// servers are used without.

import type { Clock, Result } from '@plugboard/base';
import type { NetworkSettings } from '../platform/index.ts';
import type { DiscoverOptions, IdentityProvider } from './authorization/discover.ts';
import type { AuthorizationProblem, Challenge } from './neutral/authorization.ts';
import type { AuthorizationServer, DpopKey, Fetch } from './neutral/authorization-server.ts';
import type { RemoteLaunch } from './neutral/launch.ts';
import { networkOf } from './network/network.ts';

export async function discoverAuthorization(
  serverUrl: string,
  options: DiscoverOptions,
): Promise<Result<AuthorizationServer, AuthorizationProblem>> {
  const { discover } = await import('./authorization/discover.ts');
  return discover(serverUrl, options);
}

export async function discoverIdentityProvider(
  provider: IdentityProvider,
  fetch: Fetch,
): Promise<Result<AuthorizationServer, AuthorizationProblem>> {
  const { discoverIssuer } = await import('./authorization/discover.ts');
  return discoverIssuer(provider, fetch);
}

/** What a server says to a request without credentials. */
export async function askChallenge(
  launch: RemoteLaunch,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Challenge> {
  const { challengeOfServer } = await import('./authorization/ask-challenge.ts');
  return challengeOfServer(launch, options);
}

/** A new one, or the one that was kept. */
export async function dpopKey(kept?: DpopKey['jwk']): Promise<DpopKey> {
  const { dpopKeyFrom, newDpopKey } = await import('./authorization/dpop.ts');
  return kept === undefined ? newDpopKey() : dpopKeyFrom(kept);
}

/** What steps go through: the network of this machine, until it is closed. */
export function authorizationNetwork(settings: NetworkSettings | undefined): {
  readonly fetch: Fetch;
  close(): Promise<void>;
} {
  return networkOf(settings);
}
