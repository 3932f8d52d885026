// Notices when nobody has used a session for a while. Uses are counted around every request; the
// time is looked at by one timer, not by one for each use.

import type { Clock } from '@plugboard/base';
import type { Session } from '../protocol/index.ts';
import { type AroundRequest, sessionAround } from './session-around.ts';

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
  const used: AroundRequest = (work) => {
    running += 1;
    work.then(finished, finished);
    return work;
  };
  const hold = (): Disposable => {
    running += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (isHeld) finished();
        isHeld = false;
      },
    };
  };
  timer = clock.after(idleMs, look);
  return {
    session: sessionAround(session, {
      // A sign of life is no use: a heartbeat must not keep a server that nobody needs.
      request: used,
      hold,
    }),
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
}
