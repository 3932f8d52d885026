// Tells a client that a call goes on, while nothing else can be told of it.

import { abortable, type Clock, type Progress } from '@plugboard/base';

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
