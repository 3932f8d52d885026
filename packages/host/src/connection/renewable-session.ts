// A session that ends as soon as its server no longer takes the credentials it was opened with: because
// another one can be opened with newer ones, and whoever asked is told that it may ask once more; or
// because somebody has to sign in.

import { err } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';
import { type AroundRequest, sessionAround } from './session-around.ts';
import type { ConnectionFailure } from './state.ts';

export function renewableSession(session: Session): Session {
  return endingSession(session, (failure) =>
    isExpiry(failure) ? { kind: 'credentials-expired', url: failure.url } : undefined,
  );
}

/** Nobody can use it any more before somebody has signed in. */
export function signedInSession(session: Session): Session {
  return endingSession(session, (failure) => (isSignedOut(failure) ? failure : undefined));
}

function endingSession(
  session: Session,
  endOf: (failure: ProtocolFailure) => ProtocolFailure | undefined,
): Session {
  let say: (failure: ProtocolFailure) => void = () => {};
  const closed = new Promise<ProtocolFailure>((resolve) => {
    say = resolve;
  });
  void session.closed.then(say);
  const request: AroundRequest = async (work) => {
    const answered = await work;
    const end = answered.ok ? undefined : endOf(answered.error);
    if (end === undefined) return answered;
    // Before the answer: nobody may get this session once more.
    say(end);
    return err(end);
  };
  return sessionAround(session, { request, closed });
}

function isSignedOut(failure: ProtocolFailure): boolean {
  return failure.kind === 'unauthorized' && failure.status === 401 && failure.reason !== undefined;
}

/** 403 says that they are known and not enough; with a reason, all that could be tried was. */
export function isExpiry(
  failure: ConnectionFailure,
): failure is Extract<ProtocolFailure, { readonly kind: 'unauthorized' }> {
  return failure.kind === 'unauthorized' && failure.status === 401 && failure.reason === undefined;
}
