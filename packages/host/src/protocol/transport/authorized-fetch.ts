// A fetch that authorizes requests to one server, and repeats a refused request with newer credentials. It adds nothing to
// requests to other origins.

import {
  extractWWWAuthenticateParams,
  type FetchLike,
  isDpopNonceChallenge,
} from '@modelcontextprotocol/client';
import { never } from '@plugboard/base';
import type { AuthorizationPort, Challenge, RepeatReason } from '../neutral/authorization.ts';
import { FailureError } from '../neutral/failure.ts';
import type { RemoteLaunch } from '../neutral/launch.ts';
import { shownUrl } from '../network/shown-url.ts';

/** Enough for a nonce, a newer token, another sign-in, and more scopes twice. */
export const MOST_REPEATS = 5;

export function authorizedFetch(send: FetchLike, launch: RemoteLaunch): FetchLike {
  const { authorization } = launch;
  if (authorization === undefined) return send;
  const { origin } = new URL(launch.url);
  return async (input, init) => {
    const url = new URL(input);
    if (url.origin !== origin) return send(input, init);
    const repeats: RepeatReason[] = [];
    for (;;) {
      const { response, verdict } = await sendOnce({ send, url, init, authorization, repeats });
      if (verdict.kind === 'pass') return response;
      await response.body?.cancel();
      if (verdict.kind === 'refused' || repeats.length >= MOST_REPEATS) {
        const status = response.status === 403 ? 403 : 401;
        const failure = { kind: 'unauthorized', url: shownUrl(launch), status } as const;
        throw new FailureError(
          verdict.kind === 'refused' ? { ...failure, reason: verdict.problem } : failure,
        );
      }
      repeats.push(verdict.why);
    }
  };
}

interface SendOptions {
  readonly send: FetchLike;
  readonly url: URL;
  readonly init: RequestInit | undefined;
  readonly authorization: AuthorizationPort;
  readonly repeats: readonly RepeatReason[];
}

async function sendOnce({ send, url, init, authorization, repeats }: SendOptions) {
  const signal = init?.signal ?? never;
  const request = { method: init?.method ?? 'GET', url };
  const given = await authorization.headersFor(request, signal);
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(given)) headers.set(name, value);
  const response = await send(url, { ...init, headers });
  const { status } = response;
  const nonce = response.headers.get('dpop-nonce') ?? undefined;
  const challenge = challengeOf(response);
  const answer = { ...request, status, challenge, nonce, given, repeats };
  return { response, verdict: await authorization.judge(answer, signal) };
}

export function challengeOf(response: Response): Challenge {
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
    wantsNonce: isDpopNonceChallenge(response),
  };
}
