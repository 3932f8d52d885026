// A session with something done around each of its requests. Everything else is the session's own.

import type { Result } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';

export type AroundRequest = <T>(
  work: Promise<Result<T, ProtocolFailure>>,
) => Promise<Result<T, ProtocolFailure>>;

export interface Around {
  /** Around every list and every call; a sign of life is neither. */
  readonly request: AroundRequest;
  /** In place of the session's own. */
  readonly closed?: Session['closed'];
}

export function sessionAround(session: Session, { request, closed }: Around): Session {
  return {
    get era() {
      return session.era;
    },
    get protocolVersion() {
      return session.protocolVersion;
    },
    get server() {
      return session.server;
    },
    get instructions() {
      return session.instructions;
    },
    closed: closed ?? session.closed,
    listTools: (cursor, options) => request(session.listTools(cursor, options)),
    callTool: (call, options) => request(session.callTool(call, options)),
    ping: (options) => session.ping(options),
    watchLists: (onChange) => session.watchLists(onChange),
    watchLog: (onLog) => session.watchLog(onLog),
    close: () => session.close(),
  };
}
