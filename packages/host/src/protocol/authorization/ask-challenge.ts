// Asks a server what it wants to be shown, by a request without anything to show. Most servers answer
// every such request alike, so it does not matter what it asks for.

import { type Clock, deadline } from '@plugboard/base';
import type { Challenge } from '../neutral/authorization.ts';
import type { RemoteLaunch } from '../neutral/launch.ts';
import { networkOf } from '../network/network.ts';
import { challengeOf } from '../transport/authorized-fetch.ts';

const ASK_MS = 15_000;
const NONE: Challenge = { wantsNonce: false };
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const POSTED = { method: 'POST', body: PING } as const;

/** Says nothing where the server does not answer, or not so: its well-known places may say more. */
export async function challengeOfServer(
  launch: RemoteLaunch,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Challenge> {
  const network = networkOf(launch.network);
  using limit = deadline(ASK_MS, clock, signal);
  try {
    const response = await network.fetch(launch.url.replace(/^ws/, 'http'), {
      ...(launch.kind === 'sse' || launch.kind === 'ws' ? {} : POSTED),
      headers: {
        ...launch.headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      redirect: 'manual',
      signal: limit.signal,
    });
    await response.body?.cancel();
    return response.status === 401 ? challengeOf(response) : NONE;
  } catch {
    // Discovery asks the same server, and says what is wrong with it.
    return NONE;
  } finally {
    await network.close();
  }
}
