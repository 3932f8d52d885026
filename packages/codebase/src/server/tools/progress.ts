// Reports to the client that a call is still running, and the progress of indexing.

import { abortable } from '@plugboard/base';
import type { CodebaseParts } from '../parts/codebase-parts.ts';
import type { ToolCall } from './tool.ts';

const BEAT_MS = 1000;

/** Reports `message` at once, and then every second until `work` ends. */
export async function withHeartbeat<T>(
  work: Promise<T>,
  message: string,
  { parts, signal, progress }: ToolCall,
): Promise<T> {
  let seconds = 0;
  let timer: Disposable | undefined;
  const beat = (): void => {
    progress.tell({ done: seconds, message });
    seconds += 1;
    timer = parts.clock.after(BEAT_MS, beat);
  };
  beat();
  try {
    return await abortable(work, signal);
  } finally {
    timer?.[Symbol.dispose]();
  }
}

/** Reports the progress of indexing until the result is disposed of. */
export function reportIndexing({ parts, progress }: ToolCall): Disposable {
  return parts.index.onProgress(({ phase, done, total }) =>
    progress.tell({ done, total, message: `${phase}: ${done} of ${total}` }),
  );
}

/** The share of files that were read, as data, and as a sentence if it is not all of them. */
export async function indexCoverage({ index }: Pick<CodebaseParts, 'index'>): Promise<{
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
