// A session that ends as soon as its server no longer takes the credentials it was opened with, because
// another one can be opened with newer ones. Whoever asked is told that it may ask once more.

import { err } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';
import { type AroundRequest, sessionAround } from './session-around.ts';
import type { ConnectionFailure } from './state.ts';

export function renewableSession(session: Session): Session {
  let say: (failure: ProtocolFailure) => void = () => {};
  const closed = new Promise<ProtocolFailure>((resolve) => {
    say = resolve;
  });
  void session.closed.then(say);
  const request: AroundRequest = async (work) => {
    const answered = await work;
    if (answered.ok || !isExpiry(answered.error)) return answered;
    const failure = { kind: 'credentials-expired', url: answered.error.url } as const;
    // Before the answer: nobody may get this session once more.
    say(failure);
    return err(failure);
  };
  return sessionAround(session, { request, closed });
}

/** 403 says that they are known and not enough. */
export function isExpiry(
  failure: ConnectionFailure,
): failure is Extract<ProtocolFailure, { readonly kind: 'unauthorized' }> {
  return failure.kind === 'unauthorized' && failure.status === 401;
}
