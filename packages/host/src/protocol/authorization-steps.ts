// The entrance to OAuth for other rooms. The first step loads the SDK, since most servers require no sign-in.

import type { Clock, Result } from '@plugboard/base';
import type { NetworkSettings } from '../platform/index.ts';
import type { DiscoverOptions, IdentityProvider } from './authorization/discover.ts';
import type { AuthorizationProblem, Challenge } from './neutral/authorization.ts';
import type { AuthorizationServer, DpopKey, Fetch } from './neutral/authorization-server.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { Launch, RemoteLaunch } from './neutral/launch.ts';
import { guardedFetch, type GuardedFetchOptions } from './network/guarded-fetch.ts';
import { KeptNetworks } from './network/kept-networks.ts';
import { shownUrl } from './network/shown-url.ts';

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

/** Returns the challenge with which a server answers a request without credentials. */
export async function askChallenge(
  launch: RemoteLaunch,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result<Challenge, ProtocolFailure>> {
  const { challengeOfServer } = await import('./authorization/ask-challenge.ts');
  return challengeOfServer(launch, options);
}

/** Restores a stored key, or creates a new one. */
export async function dpopKey(stored?: DpopKey['jwk']): Promise<DpopKey> {
  const { dpopKeyFrom, newDpopKey } = await import('./authorization/dpop.ts');
  return stored === undefined ? newDpopKey() : dpopKeyFrom(stored);
}

/** The recorded refusal of a server that requires a sign-in, so that no request is sent. */
export async function knownRefusal(launch: Launch): Promise<ProtocolFailure | undefined> {
  if (!('authorization' in launch)) return undefined;
  const known = await launch.authorization?.refusal?.();
  if (known === undefined) return undefined;
  const { problem: reason, since } = known;
  return { kind: 'unauthorized', url: shownUrl(launch), status: 401, reason, since };
}

export interface AuthorizationNetworkOptions {
  readonly settings: NetworkSettings | undefined;
  readonly clock: Clock;
  /** Aborts all requests. */
  readonly ending: AbortSignal;
  readonly reach?: NetworkPorts | undefined;
}

/** Resolves names and opens connections; by default the system does. */
export type NetworkPorts = Pick<GuardedFetchOptions, 'resolve' | 'dial'>;

export interface AuthorizationNetwork {
  /** The fetch for the steps of one server. Its homes are the addresses that the user configured. */
  fetchFor(homes: readonly [URL, ...URL[]]): Fetch;
  close(): Promise<void>;
}

/** For one request with all its redirects. Some authorization servers have to wake up first. */
const STEP_MS = 20_000;
/** Enough for a few servers and their authorization servers, each with a few requests in a row. */
const MOST_KEPT = 8;

export function authorizationNetwork({
  settings,
  clock,
  ending,
  reach = {},
}: AuthorizationNetworkOptions): AuthorizationNetwork {
  const kept = new KeptNetworks(MOST_KEPT);
  return {
    fetchFor(homes) {
      const network = { network: settings, clock, timeoutMs: STEP_MS, kept, ...reach };
      const guarded = guardedFetch({ ...network, homes });
      const send = (url: string | URL, init: RequestInit = {}): Promise<Response> => {
        // Other requests contain secrets for this address only; the SDK would follow some redirects.
        const redirect = (init.method ?? 'GET') === 'GET' ? 'follow' : 'error';
        return guarded(url, { ...init, redirect, signal: init.signal ?? ending });
      };
      return Object.assign(send, { homes });
    },
    close: () => kept.close(),
  };
}
