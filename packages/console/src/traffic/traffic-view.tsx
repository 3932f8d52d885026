// The live traffic between clients and servers: a timeline, a list, and the details of one call.

import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Segments } from '../parts/segments.tsx';
import { useConsole } from '../store/context.ts';
import { count, counted } from '../text/numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { useFocusedSelection } from '../ui/focus.ts';
import { useKeys } from '../ui/keys.ts';
import { goTo } from '../ui/route.ts';
import { CallDetails } from './call-details.tsx';
import { type CallFilter, choicesOf, NO_FILTER } from './call-filter.ts';
import { CallList } from './call-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { LaneBy } from './lanes.ts';
import { openedRecording, searchRecording } from '../recording/recording.ts';
import { RecordingControls, RecordingNote } from './recording-controls.tsx';
import { type ShownCalls, useShownCalls, useTextInMessages } from './shown-calls.ts';
import { LATEST, type TimeWindow } from './time-span.ts';
import { NoCalls } from './no-calls.tsx';
import { Timeline } from './timeline.tsx';

const LANES = [
  { name: 'server', title: 'Servers' },
  { name: 'client', title: 'Clients' },
] as const;

export function TrafficView({ path }: { readonly path: readonly string[] }): JSX.Element {
  const { store, connection } = useConsole();
  const [selected] = path;
  const filter = useSignal<CallFilter>(NO_FILTER);
  const laneBy = useSignal<LaneBy>('server');
  const time = useSignal<TimeWindow>({ kind: 'all' });
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => void connection.loadHistory(), []);
  const recording = openedRecording.value;
  const log = recording?.log ?? store.calls;
  const now = (): number => openedRecording.peek()?.until ?? Date.now();
  const inMessages = useTextInMessages(filter, (text) => {
    const open = openedRecording.peek();
    return open && searchRecording(open, text);
  });
  const shown = useShownCalls({ log, filter, laneBy, inMessages, now });
  const choices = useComputed(() => {
    void shown.calls.value;
    return choicesOf((openedRecording.value?.log ?? store.calls).calls, filter.value.server);
  });
  const { list, follow } = useFocusedSelection<HTMLElement>(selected);
  const focusSearch = (): void => search.current?.focus();
  useTrafficKeys(shown, selected, { time, focusSearch, follow });
  return (
    <div class={`split traffic ${selected === undefined ? 'split-closed' : 'split-open'}`}>
      <section class="split-list traffic-main" aria-label="All calls" ref={list}>
        <FilterBar filter={filter} choices={choices.value} search={search} />
        <RecordingNote />
        <Controls shown={shown} time={time} laneBy={laneBy} />
        <div class="timeline-box">
          <Timeline
            lanes={shown.lanes}
            window={time}
            selected={selected}
            onSelect={(id) => goTo('traffic', id)}
            now={now}
          />
        </div>
        <CallList calls={shown.calls} selected={selected} choice={filter.value} />
        {shown.calls.value.length === 0 && <NoCalls isFiltered={log.calls.length > 0} />}
      </section>
      {selected !== undefined && (
        <section class="split-detail" aria-label="Details of the call" key={selected}>
          <CallDetails id={selected} />
        </section>
      )}
    </div>
  );
}

interface ControlsProps {
  readonly shown: ShownCalls;
  readonly time: Signal<TimeWindow>;
  readonly laneBy: Signal<LaneBy>;
}

function Controls({ shown, time, laneBy }: ControlsProps): JSX.Element {
  const { store, connection } = useConsole();
  const many = shown.calls.value.length;
  const recording = openedRecording.value;
  const all = (recording?.log ?? store.calls).calls.length;
  const isFollowing = time.value.kind === 'follow';
  return (
    <div class="traffic-controls">
      <h2>{many === all ? counted(all, 'call') : `${count(many)} of ${counted(all, 'call')}`}</h2>
      {recording === undefined && !connection.isHistoryWhole.value && (
        <span class="faint">Loading what was recorded…</span>
      )}
      <span class="spacer" />
      <RecordingControls shown={shown} />
      <Segments
        label="Lanes of the timeline"
        options={LANES}
        value={laneBy.value}
        onChange={(by) => {
          laneBy.value = by;
        }}
      />
      <button
        type="button"
        class="button"
        title="Show all calls (0)"
        onClick={() => {
          time.value = { kind: 'all' };
        }}
      >
        <Icon name="fit" />
        All
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={isFollowing}
        title="Show the last seconds as they pass (l)"
        onClick={() => {
          time.value = isFollowing ? { kind: 'all' } : LATEST;
        }}
      >
        <Icon name="live" />
        Follow
      </button>
    </div>
  );
}

interface KeyTargets {
  readonly time: Signal<TimeWindow>;
  readonly focusSearch: () => void;
  readonly follow: () => void;
}

function useTrafficKeys(
  { calls }: ShownCalls,
  selected: string | undefined,
  { time, focusSearch, follow }: KeyTargets,
): void {
  /** Moving down the list goes back in time. */
  const step = (by: number): void => {
    const list = calls.peek();
    const at = list.findLastIndex(({ call }) => call.id === selected);
    const next = at < 0 ? list.length - 1 : Math.min(list.length - 1, Math.max(0, at - by));
    const entry = list[next];
    if (entry === undefined) return;
    follow();
    goTo('traffic', entry.call.id);
  };
  useKeys('Traffic', [
    { keys: 'j', what: 'Next call in the list', run: () => step(1) },
    { keys: 'k', what: 'Previous call in the list', run: () => step(-1) },
    { keys: '/', what: 'Filter by text', run: focusSearch },
    {
      keys: 'l',
      what: 'Follow what happens now',
      run: () => {
        time.value = LATEST;
      },
    },
    {
      keys: '0',
      what: 'Show all on the timeline',
      run: () => {
        time.value = { kind: 'all' };
      },
    },
    { keys: 'Escape', what: 'Close the details', run: () => goTo('traffic') },
  ]);
}
