// A JSON value as a tree. Only visible rows are in the page, so a value with a hundred thousand parts scrolls as fast as a small
// one. Arrow keys move, fold and unfold, as in every tree.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { Json } from '@plugboard/base';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Text } from '../../text/text.tsx';
import { type TreeRow, treeRows } from './tree-rows.ts';

const ROW_HEIGHT = 22;
const EXTRA_ROWS = 10;
/** A row is one line; the whole text is shown when the row is opened. */
const LONGEST_LINE = 300;

export interface JsonTreeProps {
  readonly value: Json;
  readonly label: string;
  readonly openDepth?: number;
}

export function JsonTree({ value, label, openDepth = 2 }: JsonTreeProps): JSX.Element {
  const tree = useTree(value, openDepth);
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  const { rows, current, first, last } = tree;
  useSignalEffect(() => {
    const at = current.value;
    const box = element.current;
    if (box === null || document.activeElement !== box) return;
    if (at * ROW_HEIGHT < box.scrollTop) box.scrollTop = at * ROW_HEIGHT;
    else if ((at + 2) * ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = (at + 2) * ROW_HEIGHT - box.clientHeight;
    }
  });
  return (
    <div
      ref={element}
      class="tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-${current.value}`}
      onScroll={({ currentTarget }) => tree.scroll(currentTarget)}
      onKeyDown={tree.press}
    >
      <div style={{ height: `${first.value * ROW_HEIGHT}px` }} />
      {rows.value.slice(first.value, last.value).map((row, offset) => (
        <Row
          key={row.id}
          row={row}
          id={`${id}-${first.value + offset}`}
          isCurrent={first.value + offset === current.value}
          onToggle={() => tree.toggle(first.value + offset)}
        />
      ))}
      <div style={{ height: `${(rows.value.length - last.value) * ROW_HEIGHT}px` }} />
    </div>
  );
}

interface Tree {
  readonly rows: { readonly value: readonly TreeRow[] };
  readonly current: { readonly value: number };
  readonly first: { readonly value: number };
  readonly last: { readonly value: number };
  readonly scroll: (box: HTMLElement) => void;
  readonly toggle: (index: number) => void;
  readonly press: (event: KeyboardEvent) => void;
}

function useTree(value: Json, openDepth: number): Tree {
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const current = useSignal(0);
  const window = useSignal({ top: 0, height: 600 });
  const shownValue = useSignal(value);
  shownValue.value = value;
  const rows = useComputed(() => treeRows(shownValue.value, { openDepth, toggled: toggled.value }));
  const first = useComputed(() =>
    Math.max(0, Math.floor(window.value.top / ROW_HEIGHT) - EXTRA_ROWS),
  );
  const last = useComputed(() =>
    Math.min(
      rows.value.length,
      Math.ceil((window.value.top + window.value.height) / ROW_HEIGHT) + EXTRA_ROWS,
    ),
  );
  const toggle = (index: number): void => {
    current.value = index;
    const row = rows.peek()[index];
    if (row === undefined || row.children === 0) return;
    const next = new Set(toggled.peek());
    if (!next.delete(row.id)) next.add(row.id);
    toggled.value = next;
  };
  const go = (index: number): void => {
    current.value = Math.min(rows.peek().length - 1, Math.max(0, index));
  };
  const press = (event: KeyboardEvent): void => {
    const at = current.peek();
    const step = stepOf(event.key, rows.peek(), at);
    if (step === undefined) return;
    event.preventDefault();
    if (step === 'toggle') toggle(at);
    else go(step);
  };
  return {
    rows,
    current,
    first,
    last,
    toggle,
    press,
    scroll: (box) => {
      window.value = { top: box.scrollTop, height: box.clientHeight };
    },
  };
}

/** The row that a key leads to. */
function stepOf(key: string, rows: readonly TreeRow[], at: number): number | 'toggle' | undefined {
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return at - 1;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'Enter':
    case ' ':
      return 'toggle';
    case 'ArrowRight':
      if (row === undefined || row.children === 0) return at;
      return row.isOpen ? at + 1 : 'toggle';
    case 'ArrowLeft':
      if (row?.isOpen === true) return 'toggle';
      return Math.max(
        0,
        rows.findLastIndex((one, index) => index < at && one.depth < (row?.depth ?? 0)),
      );
    default:
      return undefined;
  }
}

interface RowProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
}

function Row({ row, id, isCurrent, onToggle }: RowProps): JSX.Element {
  const isContainer = row.type === 'object' || row.type === 'list';
  return (
    <div
      id={id}
      class={`tree-row${isCurrent ? ' is-current' : ''}`}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      aria-expanded={row.children === 0 ? undefined : row.isOpen}
      style={{ paddingInlineStart: `${0.35 + Math.min(row.depth, 40)}rem` }}
      onClick={onToggle}
    >
      <span class="tree-fold" aria-hidden="true">
        {row.children === 0 ? '' : row.isOpen ? '▾' : '▸'}
      </span>
      {row.key !== undefined && (
        <span class="tree-key">
          <Text of={lineOf(row.key)} />
        </span>
      )}
      <span class={`tree-value tree-${row.type}`}>
        {row.type === 'text' ? <Text of={JSON.stringify(lineOf(row.text))} /> : row.text}
        {isContainer && row.children === 0 && ' (empty)'}
      </span>
    </div>
  );
}

function lineOf(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
