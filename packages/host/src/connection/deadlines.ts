// The time limits of a server's steps: the defaults, and those of its entry.

import type { CommonFields } from '../config/index.ts';

export interface Deadlines {
  readonly connectMs: number;
  readonly listMs: number;
  /** A call fails if the server shows no sign of life for this long; progress restarts it. */
  readonly callIdleMs: number;
  /** A call fails after this long, whatever progress the server reports. */
  readonly callHardMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 30_000,
  listMs: 15_000,
  callIdleMs: 5 * 60_000,
  callHardMs: 60 * 60_000,
};

export function deadlinesOf(
  entry: Pick<CommonFields, 'timeout' | 'hardTimeout' | 'connectTimeout' | 'listTimeout'>,
): Deadlines {
  const { timeout, hardTimeout, connectTimeout, listTimeout } = entry;
  return {
    connectMs: connectTimeout ?? DEFAULT_DEADLINES.connectMs,
    listMs: listTimeout ?? DEFAULT_DEADLINES.listMs,
    callIdleMs: timeout ?? DEFAULT_DEADLINES.callIdleMs,
    callHardMs: hardTimeout ?? Math.max(timeout ?? 0, DEFAULT_DEADLINES.callHardMs),
  };
}
