// The calls that match the filter, kept up to date. With very many calls this happens only a few times a second, so that the page
// stays responsive.

import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { get } from '../feed/request.ts';
import type { CallLog, LoggedCall } from '../store/call-log.ts';
import { type CallFilter, isFiltered, matcherOf } from './call-filter.ts';
import { type Lane, type LaneBy, lanesOf } from './lanes.ts';

export interface ShownCalls {
  /** Oldest first. */
  readonly calls: ReadonlySignal<readonly LoggedCall[]>;
  readonly lanes: ReadonlySignal<readonly Lane[]>;
}

export interface ShownCallsOptions {
  readonly log: CallLog;
  readonly filter: Signal<CallFilter>;
  readonly laneBy: Signal<LaneBy>;
  /** The ids of calls whose messages contain the text of the filter. */
  readonly inMessages: ReadonlySignal<ReadonlySet<string>>;
  readonly now: () => number;
}

const PAUSE_MS = 300;
/** Fewer calls are filtered without a pause. */
const MANY = 5_000;

export function useShownCalls({
  log,
  filter,
  laneBy,
  inMessages,
  now,
}: ShownCallsOptions): ShownCalls {
  // A signal, so that the effect below also runs when the log changes.
  const shownLog = useSignal(log);
  shownLog.value = log;
  const calls = useSignal<readonly LoggedCall[]>([]);
  const last = useRef({ at: 0, filter: filter.peek(), inMessages: inMessages.peek(), log });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    // Reading `version` runs this for every new call.
    const from = shownLog.value;
    const isNew = from.version.value > 0;
    const wanted = { filter: filter.value, inMessages: inMessages.value, log: from };
    const { at, ...before } = last.current;
    const isSame = Object.entries(before).every(
      ([key, value]) => wanted[key as keyof typeof wanted] === value,
    );
    const pause = isNew && isSame && from.calls.length > MANY ? PAUSE_MS : 0;
    const choose = (): void => {
      timer.current = undefined;
      last.current = { ...wanted, at: performance.now() };
      const matches = matcherOf(wanted.filter, wanted.inMessages);
      const time = now();
      calls.value = isFiltered(wanted.filter)
        ? from.calls.filter((entry) => matches(entry, time))
        : from.calls.slice();
    };
    clearTimeout(timer.current);
    const wait = at + pause - performance.now();
    if (wait <= 0) choose();
    else timer.current = setTimeout(choose, wait);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { calls, lanes: useComputed(() => lanesOf(calls.value, laneBy.value)) };
}

const TYPED_MS = 250;
const SHORTEST_TEXT = 2;
const NONE: ReadonlySet<string> = new Set();

/** Asks the gateway which calls contain a text in their messages, after the user has stopped typing. */
export function useTextInMessages(
  filter: Signal<CallFilter>,
  look: (text: string) => ReadonlySet<string> | undefined,
): ReadonlySignal<ReadonlySet<string>> {
  const found = useSignal<ReadonlySet<string>>(NONE);
  const text = useComputed(() => filter.value.text.trim());
  useSignalEffect(() => {
    const wanted = text.value;
    const leaving = new AbortController();
    found.value = NONE;
    if (wanted.length < SHORTEST_TEXT) return undefined;
    const timer = setTimeout(() => {
      const here = look(wanted);
      if (here !== undefined) {
        found.value = here;
        return;
      }
      const path = `calls/search?text=${encodeURIComponent(wanted)}`;
      void get<readonly string[]>(path, leaving.signal).then((answer) => {
        if (!leaving.signal.aborted && answer.kind === 'ok') found.value = new Set(answer.value);
      });
    }, TYPED_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  });
  return found;
}
