// Whether a session is over because its server no longer accepts the credentials that it was opened with. Pure.

import type { ProtocolFailure } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** Another session can be opened with newer credentials, and the caller may ask once more. */
export function endsRenewable(failure: ProtocolFailure): ProtocolFailure | undefined {
  return isExpiry(failure) ? { kind: 'credentials-expired', url: failure.url } : undefined;
}

/** The user has to sign in before it can be used again. */
export function endsSignedIn(failure: ProtocolFailure): ProtocolFailure | undefined {
  const isSignedOut =
    failure.kind === 'unauthorized' && failure.status === 401 && failure.reason !== undefined;
  return isSignedOut ? failure : undefined;
}

/** 403 says that they are known and not enough; with a reason, all that could be tried was. */
export function isExpiry(
  failure: ConnectionFailure,
): failure is Extract<ProtocolFailure, { readonly kind: 'unauthorized' }> {
  return failure.kind === 'unauthorized' && failure.status === 401 && failure.reason === undefined;
}
