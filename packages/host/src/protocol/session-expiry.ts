// Recognizes the answers by which a server shows that it has forgotten the session. Pure.

import type { Link } from './link-to.ts';
import type { ProtocolFailure } from './neutral/failure.ts';

/** The error code with which legacy servers report an unknown session. */
const SESSION_NOT_FOUND = -32_001;

/** The failure with which the session ends, if the server has forgotten it. */
export function sessionExpiry(
  failure: ProtocolFailure,
  { transport, url }: Link,
): ProtocolFailure | undefined {
  if (transport.sessionId === undefined || !isForgotten(failure)) return undefined;
  const status = failure.kind === 'http' ? failure.status : 404;
  return { kind: 'session-expired', url, status };
}

/** The specification requires 404; many servers, such as those on the first SDK, send 400. */
function isForgotten(failure: ProtocolFailure): boolean {
  if (failure.kind === 'http') return failure.status === 404 || failure.status === 400;
  return failure.kind === 'rpc' && failure.code === SESSION_NOT_FOUND;
}
