// Whether a server is known to require a sign-in that has not happened yet, so that no request is needed.

import type { ProtocolFailure } from './neutral/failure.ts';
import type { Launch } from './neutral/launch.ts';
import { shownUrl } from './network/shown-url.ts';

export async function knownRefusal(launch: Launch): Promise<ProtocolFailure | undefined> {
  if (!('authorization' in launch)) return undefined;
  const known = await launch.authorization?.refusal?.();
  if (known === undefined) return undefined;
  const { problem: reason, since } = known;
  return { kind: 'unauthorized', url: shownUrl(launch), status: 401, reason, since };
}
