// Notices when nobody has used a session for a while. Uses are counted around every request; the
// time is looked at by one timer, not by one for each use.

import type { Clock, Result } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';

export interface IdleWatch extends Disposable {
  /** The same session, with its uses counted. */
  readonly session: Session;
}

export function watchIdle(
  session: Session,
  idleMs: number,
  ports: { readonly clock: Clock; onIdle(): void },
): IdleWatch {
  const { clock } = ports;
  let running = 0;
  let lastUse = clock.elapsed();
  let timer: Disposable | undefined;

  const look = (): void => {
    const left = running > 0 ? idleMs : lastUse + idleMs - clock.elapsed();
    if (left <= 0) ports.onIdle();
    else timer = clock.after(left, look);
  };
  const finished = (): void => {
    running -= 1;
    lastUse = clock.elapsed();
  };
  const used: Counted = (work) => {
    running += 1;
    work.then(finished, finished);
    return work;
  };
  timer = clock.after(idleMs, look);
  return {
    session: countedSession(session, used),
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
}

type Counted = <T>(
  work: Promise<Result<T, ProtocolFailure>>,
) => Promise<Result<T, ProtocolFailure>>;

function countedSession(session: Session, used: Counted): Session {
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
    closed: session.closed,
    listTools: (cursor, options) => used(session.listTools(cursor, options)),
    callTool: (call, options) => used(session.callTool(call, options)),
    // A sign of life is no use: a heartbeat must not keep a server that nobody needs.
    ping: (options) => session.ping(options),
    watchLists: (onChange) => session.watchLists(onChange),
    watchLog: (onLog) => session.watchLog(onLog),
    close: () => session.close(),
  };
}
