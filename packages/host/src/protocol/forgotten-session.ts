// Whether a failed request says that the server has forgotten the session. It is for the caller to know
// that there was one. Pure.

import type { ProtocolFailure } from './neutral/failure.ts';

/** In the legacy era servers answer so when they have forgotten a session. */
const SESSION_NOT_FOUND = -32_001;

/** The specification says 404; many servers, those on the first SDK among them, say 400. */
export function isForgotten(failure: ProtocolFailure): boolean {
  if (failure.kind === 'http') return failure.status === 404 || failure.status === 400;
  return failure.kind === 'rpc' && failure.code === SESSION_NOT_FOUND;
}
