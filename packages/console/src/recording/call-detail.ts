// The recorded details of a call, from the gateway or from the open recording. Loaded again when the call changes.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { CallDetail } from '@plugboard/gateway/console-api';
import { useEffect } from 'preact/hooks';
import { type Answer, get } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { openedRecording } from './recording.ts';

/** `undefined` before the first answer. */
export function useCallDetail(id: string): ReadonlySignal<Answer<CallDetail> | undefined> {
  const { store } = useConsole();
  const answer = useSignal<Answer<CallDetail> | undefined>(undefined);
  const recorded = openedRecording.value?.details.get(id);
  // Reading the signal runs this again when a call has changed.
  const known = store.calls.version.value > 0 ? store.calls.find(id)?.call : undefined;
  useEffect(() => {
    if (recorded !== undefined) {
      answer.value = { kind: 'ok', value: recorded };
      return undefined;
    }
    const leaving = new AbortController();
    void get<CallDetail>(`calls/${encodeURIComponent(id)}`, leaving.signal).then((loaded) => {
      if (!leaving.signal.aborted) answer.value = loaded;
    });
    return () => leaving.abort();
  }, [id, recorded, known?.state, known?.messages]);
  return answer;
}
