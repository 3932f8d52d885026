// What an answer says about how long it may be kept, and for whom.
// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching

import type { Freshness } from './neutral/model.ts';

export function freshnessOf({
  ttlMs,
  cacheScope,
}: Readonly<Record<string, unknown>>): Freshness | undefined {
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return undefined;
  // Whatever is not said to be for everyone is not.
  return { ttlMs, scope: cacheScope === 'public' ? 'public' : 'private' };
}
