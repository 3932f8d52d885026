// Detects that a session was not used for a while. One timer checks this, so that a use costs no timer.

import type { Clock } from '@plugboard/base';
import type { Session } from '../protocol/index.ts';

export function watchIdle(
  session: Session,
  idleMs: number,
  { clock, onIdle }: { readonly clock: Clock; readonly onIdle: () => void },
): Disposable {
  let timer: Disposable | undefined;
  const check = (): void => {
    const { running, lastUse } = session.activity;
    const left = running > 0 ? idleMs : lastUse + idleMs - clock.elapsed();
    if (left <= 0) onIdle();
    else timer = clock.after(left, check);
  };
  timer = clock.after(idleMs, check);
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}
