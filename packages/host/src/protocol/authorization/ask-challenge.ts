// Obtains the challenge of a server by a request without credentials. Most servers answer every such request in the same
// way, so the method does not matter.

import { type Clock, deadline, err, ok, type Result } from '@plugboard/base';
import type { Challenge } from '../neutral/authorization.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';
import { httpUrl, LAUNCH_TRANSPORTS, type RemoteLaunch } from '../neutral/launch.ts';
import { networkCodeOf } from '../network/network-code.ts';
import { networkOf } from '../network/network.ts';
import { shownUrl } from '../network/shown-url.ts';
import { challengeOf } from '../transport/authorized-fetch.ts';

const ASK_MS = 15_000;
const NONE: Challenge = { wantsNonce: false };
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const POSTED = { method: 'POST', body: PING } as const;

/**
 * Returns an empty challenge if the server does not answer in time or sends none: its well-known addresses may still
 * describe the sign-in. Fails only if the server cannot be reached.
 */
export async function challengeOfServer(
  launch: RemoteLaunch,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result<Challenge, ProtocolFailure>> {
  const network = networkOf(launch.network);
  using limit = deadline(ASK_MS, clock, signal);
  try {
    const response = await network.fetch(httpUrl(launch.url), {
      ...(LAUNCH_TRANSPORTS[launch.kind].greeting === 'POST' ? POSTED : {}),
      headers: {
        ...launch.headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      redirect: 'manual',
      signal: limit.signal,
    });
    await response.body?.cancel();
    return ok(response.status === 401 ? challengeOf(response) : NONE);
  } catch (thrown) {
    const code = networkCodeOf(thrown);
    if (limit.signal.aborted || code === 'UNKNOWN') return ok(NONE);
    return err({ kind: 'unreachable', url: shownUrl(launch), code });
  } finally {
    await network.close();
  }
}
