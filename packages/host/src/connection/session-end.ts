// Decides whether a failure ends the session because the server no longer accepts its credentials. Pure.

import type { ProtocolFailure } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** The end of a session that can be reopened with newer credentials. */
export function renewableEnd(failure: ProtocolFailure): ProtocolFailure | undefined {
  return isExpiry(failure) ? { kind: 'credentials-expired', url: failure.url } : undefined;
}

/** The end of a session whose user has to sign in again. */
export function signedOutEnd(failure: ProtocolFailure): ProtocolFailure | undefined {
  const isSignedOut =
    failure.kind === 'unauthorized' && failure.status === 401 && failure.reason !== undefined;
  return isSignedOut ? failure : undefined;
}

/** 403 means that the credentials are known but insufficient; with a reason, all remedies were tried. */
export function isExpiry(
  failure: ConnectionFailure,
): failure is Extract<ProtocolFailure, { readonly kind: 'unauthorized' }> {
  return failure.kind === 'unauthorized' && failure.status === 401 && failure.reason === undefined;
}
