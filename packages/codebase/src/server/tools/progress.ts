// Tells a client that asked for it how far a call is. One that did not ask hears nothing; one that cannot be told any
// more is no reason for the call to fail.

import type { ServerContext } from '@modelcontextprotocol/server';
import { abortable, type Clock } from '@plugboard/base';

export interface Progress {
  /** `done` only ever grows, as the protocol wants it; what would go back is not told. */
  tell(step: { readonly done: number; readonly total?: number; readonly message: string }): void;
}

export function progressOf(context: ServerContext): Progress {
  const progressToken = context.mcpReq._meta?.progressToken;
  let last = -1;
  return {
    tell({ done, total, message }) {
      if (progressToken === undefined || done <= last || context.mcpReq.signal.aborted) return;
      last = done;
      const params = {
        progressToken,
        progress: done,
        ...(total === undefined ? {} : { total }),
        message,
      };
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {
        // The client has gone; the call ends by its signal.
      });
    },
  };
}

const BEAT_MS = 1000;

/** Says at once and then every second that `work` goes on. */
export async function withHeartbeat<T>(
  work: Promise<T>,
  how: {
    readonly progress: Progress;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly message: string;
  },
): Promise<T> {
  const { progress, clock, message, signal } = how;
  let seconds = 0;
  let timer: Disposable | undefined;
  const beat = (): void => {
    progress.tell({ done: seconds, message });
    seconds += 1;
    timer = clock.after(BEAT_MS, beat);
  };
  beat();
  try {
    return await abortable(work, signal);
  } finally {
    timer?.[Symbol.dispose]();
  }
}
