// How long each step may take for a server, unless its entry says otherwise.

import type { CommonFields } from '../config/index.ts';

export interface Deadlines {
  readonly connectMs: number;
  readonly listMs: number;
  /** A call fails when the server shows no sign of life for this long; progress starts it over. */
  readonly callIdleMs: number;
  /** A call fails after this long, whatever the server shows. */
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
