// Loads data of the API for a component: when it is first shown and when the path changes. Answers that arrive too late are
// dropped.

import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { type Answer, get } from '../feed/request.ts';

export interface Loaded<T> {
  /** `undefined` before the first answer; during a reload, the previous answer. */
  readonly answer: Signal<Answer<T> | undefined>;
  readonly reload: () => Promise<void>;
}

export function useLoaded<T>(path: string): Loaded<T> {
  const answer = useSignal<Answer<T> | undefined>(undefined);
  const shown = useSignal(path);
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const loaded = await get<T>(path, signal);
      if (signal?.aborted !== true) answer.value = loaded;
    },
    [path],
  );
  useEffect(() => {
    const leaving = new AbortController();
    if (shown.peek() !== path) answer.value = undefined;
    shown.value = path;
    void load(leaving.signal);
    return () => leaving.abort();
  }, [path]);
  return { answer, reload: useCallback(() => load(), [load]) };
}
