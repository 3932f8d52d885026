// The way to OAuth for the rooms above. The SDK is loaded when the first step is taken, since most
// servers are used without.

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

/** What a server says to a request without credentials. */
export async function askChallenge(
  launch: RemoteLaunch,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result<Challenge, ProtocolFailure>> {
  const { challengeOfServer } = await import('./authorization/ask-challenge.ts');
  return challengeOfServer(launch, options);
}

/** A new one, or the one that was kept. */
export async function dpopKey(kept?: DpopKey['jwk']): Promise<DpopKey> {
  const { dpopKeyFrom, newDpopKey } = await import('./authorization/dpop.ts');
  return kept === undefined ? newDpopKey() : dpopKeyFrom(kept);
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
  /** Ends whatever is asked for. */
  readonly ending: AbortSignal;
  readonly reach?: NetworkPorts | undefined;
}

/** How hosts are found and connected to; as the system does, by default. */
export type NetworkPorts = Pick<GuardedFetchOptions, 'resolve' | 'dial'>;

export interface AuthorizationNetwork {
  /** What the steps of one server go through. Its homes are the addresses that a person configured. */
  fetchFor(homes: readonly [URL, ...URL[]]): Fetch;
  close(): Promise<void>;
}

/** For one request, however many redirects it takes. Some authorization servers have to wake up. */
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
        // What is sent holds secrets, and is meant for this very address. The SDK would follow some.
        const redirect = (init.method ?? 'GET') === 'GET' ? 'follow' : 'error';
        return guarded(url, { ...init, redirect, signal: init.signal ?? ending });
      };
      return Object.assign(send, { homes });
    },
    close: () => kept.close(),
  };
}
