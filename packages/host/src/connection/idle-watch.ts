// Notices when a session was not used for a while. The time is looked at by one timer, not by one for each use.

import type { Clock } from '@plugboard/base';
import type { Session } from '../protocol/index.ts';

export function watchIdle(
  session: Session,
  idleMs: number,
  { clock, onIdle }: { readonly clock: Clock; readonly onIdle: () => void },
): Disposable {
  let timer: Disposable | undefined;
  const look = (): void => {
    const { running, lastUse } = session.activity;
    const left = running > 0 ? idleMs : lastUse + idleMs - clock.elapsed();
    if (left <= 0) onIdle();
    else timer = clock.after(left, look);
  };
  timer = clock.after(idleMs, look);
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}
