// Something that a component reads from the API: asked for when it is first shown and when its address changes; an answer that
// comes too late is dropped.

import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { type Answer, get } from '../feed/request.ts';

export interface Loaded<T> {
  /** `undefined` before the first answer. While it is asked for again, the last one. */
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
