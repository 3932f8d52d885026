// A session with nothing secret in how its requests fail, how it ends, and what it logs. Results are what
// somebody asked for, and stay as they are.

import { err } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';
import { concealed } from './concealment.ts';
import { type AroundRequest, sessionAround } from './session-around.ts';
import type { SessionSecrets } from './session-secrets.ts';

export function concealingSession(session: Session, secrets: SessionSecrets): Session {
  const hidden = (failure: ProtocolFailure): ProtocolFailure => concealed(failure, secrets.hide);
  const request: AroundRequest = async (work) => {
    const answered = await work;
    return answered.ok ? answered : err(hidden(answered.error));
  };
  return sessionAround(session, {
    request,
    closed: session.closed.then(hidden),
    watchLog: (onLog) => session.watchLog((log) => onLog(concealed(log, secrets.hide))),
    beforeCall: ({ arguments: given }) => secrets.learn(given),
  });
}
