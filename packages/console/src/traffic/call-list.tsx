// The list of calls, newest first. Only visible rows are in the page. While the user reads further down, rows keep their place
// although new calls are added above.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { CallView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { LoggedCall } from '../store/call-log.ts';
import { duration, size, timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { CALL_LOOKS, EraBadge, Mark } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { GATEWAY, toolOf } from './call-filter.ts';

const ROW_HEIGHT = 30;
const EXTRA_ROWS = 8;

export interface CallListProps {
  /** Oldest first. */
  readonly calls: ReadonlySignal<readonly LoggedCall[]>;
  readonly selected: string | undefined;
  /** Changes when the filter changes, and not when calls are added. */
  readonly choice: unknown;
}

const COLUMNS = ['Outcome', 'Time', 'What', 'Server', 'Client', 'Eras', 'Took', 'Size'] as const;

export function CallList({ calls, selected, choice }: CallListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const viewport = useSignal({ top: 0, height: 800 });
  const count = calls.value.length;
  useKeptPlace(box, count, choice);
  useEffect(() => {
    if (box.current === null) return undefined;
    const watch = new ResizeObserver(([entry]) => {
      viewport.value = { ...viewport.peek(), height: entry?.contentRect.height ?? 800 };
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (selected !== undefined) showRow(box.current, rowOf(calls.peek(), selected));
  }, [selected]);
  const first = Math.max(0, Math.floor(viewport.value.top / ROW_HEIGHT) - EXTRA_ROWS);
  const last = Math.min(
    count,
    Math.ceil((viewport.value.top + viewport.value.height) / ROW_HEIGHT) + EXTRA_ROWS,
  );
  const rows = calls.value
    .slice(Math.max(0, count - last), Math.max(0, count - first))
    .toReversed();
  return (
    <div class="calls" role="table" aria-label="Calls, newest first" aria-rowcount={count + 1}>
      <div class="call-row call-head" role="row" aria-rowindex={1}>
        {COLUMNS.map((name) => (
          <span key={name} role="columnheader" class={`call-${name.toLowerCase()}`}>
            {name}
          </span>
        ))}
      </div>
      <div
        ref={box}
        class="call-rows"
        role="rowgroup"
        tabIndex={0}
        aria-label="Calls"
        onScroll={({ currentTarget }) => {
          viewport.value = { top: currentTarget.scrollTop, height: currentTarget.clientHeight };
        }}
      >
        <div role="presentation" style={{ height: `${first * ROW_HEIGHT}px` }} />
        {rows.map(({ call }, offset) => (
          <Row key={call.id} call={call} index={first + offset} isSelected={call.id === selected} />
        ))}
        <div role="presentation" style={{ height: `${(count - last) * ROW_HEIGHT}px` }} />
      </div>
    </div>
  );
}

function rowOf(calls: readonly LoggedCall[], id: string): number {
  const at = calls.findLastIndex(({ call }) => call.id === id);
  return at < 0 ? -1 : calls.length - 1 - at;
}

function showRow(box: HTMLElement | null, row: number): void {
  if (box === null || row < 0) return;
  const top = row * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW_HEIGHT > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + ROW_HEIGHT - box.clientHeight;
  }
}

/** Keeps the scroll position when calls are added, except at the top, which always shows the newest. */
function useKeptPlace(
  box: { readonly current: HTMLElement | null },
  count: number,
  choice: unknown,
): void {
  const before = useRef({ count, choice });
  useLayoutEffect(() => {
    const { count: was, choice: of } = before.current;
    before.current = { count, choice };
    if (box.current === null) return;
    if (of !== choice) box.current.scrollTop = 0;
    else if (count > was && box.current.scrollTop > 0)
      box.current.scrollTop += (count - was) * ROW_HEIGHT;
  }, [count, choice]);
}

interface RowProps {
  readonly call: CallView;
  readonly index: number;
  readonly isSelected: boolean;
}

function Row({ call, index, isSelected }: RowProps): JSX.Element {
  return (
    <div
      class={`call-row${isSelected ? ' is-selected' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span role="cell" class="call-outcome">
        <Mark look={CALL_LOOKS[call.state]} />
      </span>
      <span role="cell" class="call-time">
        {timeOf(call.at)}
      </span>
      <span role="cell" class="call-what">
        <a class="row-link" href={addressOf('traffic', call.id)}>
          <Text of={toolOf(call).slice(0, 200)} />
        </a>
      </span>
      <span role="cell" class="call-server">
        <Text of={call.server ?? GATEWAY} />
      </span>
      <span role="cell" class="call-client">
        <Text of={call.clientName.slice(0, 100)} />
      </span>
      <span role="cell" class="call-eras">
        <EraBadge era={call.clientEra} />
        {call.serverEra !== undefined && call.serverEra !== call.clientEra && (
          <EraBadge era={call.serverEra} />
        )}
      </span>
      <span role="cell" class="call-took">
        {call.ms === undefined ? '…' : duration(call.ms)}
      </span>
      <span role="cell" class="call-size">
        {size(call.bytes)}
      </span>
    </div>
  );
}
