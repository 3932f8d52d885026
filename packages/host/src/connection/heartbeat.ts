// Pings a session at regular intervals, and reports when the server does not answer.

import type { Clock } from '@plugboard/base';
import type { ProtocolFailure, Session } from '../protocol/index.ts';

export interface Heartbeat {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** Beats until disposed, or until a beat is missed. */
export function startHeartbeat(
  session: Pick<Session, 'ping'>,
  { everyMs, timeoutMs }: Heartbeat,
  ports: { readonly clock: Clock; onMissed(failure: ProtocolFailure): void },
): Disposable {
  const stopping = new AbortController();
  let timer: Disposable | undefined;
  const next = (): void => {
    timer = ports.clock.after(everyMs, () => void beat());
  };
  const beat = async (): Promise<void> => {
    const response = await session.ping({ signal: stopping.signal, timeoutMs });
    if (stopping.signal.aborted) return;
    if (response.ok) next();
    else ports.onMissed(response.error);
  };
  next();
  return {
    [Symbol.dispose]() {
      stopping.abort();
      timer?.[Symbol.dispose]();
    },
  };
}
