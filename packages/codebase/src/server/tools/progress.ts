// Tells a client that a call is still running while there is nothing else to report.

import { abortable, type Clock, type Progress } from '@plugboard/base';
import type { CodebaseParts } from '../parts/codebase-parts.ts';

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

/** Tells how far the index is, until the answer is disposed of. */
export function tellOfIndex(
  { index }: Pick<CodebaseParts, 'index'>,
  progress: Progress,
): Disposable {
  return index.onProgress(({ phase, done, total }) =>
    progress.tell({ done, total, message: `${phase}: ${done} of ${total}` }),
  );
}

/** A sentence where not all files were read yet; data for programs beside it. */
export async function howFar({ index }: Pick<CodebaseParts, 'index'>): Promise<{
  readonly notes: readonly string[];
  readonly data: { readonly read_share: number };
}> {
  const { readShare } = await index.state();
  const percent = Math.floor(readShare * 100);
  const notes = [
    `Only ${percent} % of the files were read so far; ask again, or wait with index_status.`,
  ];
  return { notes: readShare < 1 ? notes : [], data: { read_share: readShare } };
}
