import { describe, expect, it } from 'vitest';
import { callLines } from '../../src/tui/view/call-lines.ts';
import type { CallView } from '../../src/tui/view/call-view.ts';
import { changeLines } from '../../src/tui/view/diff-lines.ts';
import { toAnsi } from '../../src/tui/view/spans.ts';
import { DEFAULT_THEME, PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { CALLS } from './gallery/samples.ts';

function shown(
  call: CallView,
  look: { width?: number; isFolded?: boolean; now?: number } = {},
): readonly string[] {
  const { width = 60, isFolded = true, now = 0 } = look;
  return callLines(call, { width, isFolded, now, theme: PLAIN_THEME }).map((line) =>
    toAnsi(line, PLAIN_THEME),
  );
}

const RUNNING = CALLS['running']!;

describe('a call on the screen', () => {
  it('looks the same before its server is known', () => {
    const call = {
      ...RUNNING,
      server: '',
      tool: 'mcp__files__read_file',
      state: 'announced',
    } as const;
    expect(shown(call)).toEqual(['⠋ files · read_file']);
    expect(shown({ ...call, tool: 'delegate' })).toEqual(['⠋ delegate']);
  });

  it('shows its progress, within bounds, whatever a server reports', () => {
    const { progress: _, ...bare } = RUNNING;
    const ends = [
      { done: 0, total: 4 },
      { done: 9, total: 4 },
      { done: 7 },
      { done: Number.NaN, total: 4 },
      { done: -1, total: 4 },
      { done: 1, total: 0 },
    ].map((progress) =>
      shown({ ...bare, arguments: {}, progress })[0]
        ?.slice(24)
        .trim(),
    );
    expect(ends).toEqual(['──────────   0 %', '━━━━━━━━━━ 100 %', '7', '', '', '1']);
  });

  it('shows a spinner and counts seconds while it runs', () => {
    const { progress: _, ...bare } = RUNNING;
    const call = { ...bare, arguments: {} };
    expect(shown(call, { width: 34 })).toEqual(['⠋ filesystem · read_file']);
    expect(shown(call, { width: 34, now: 61_040 })).toEqual(['⠸ filesystem · read_file  1 m 01 s']);
  });

  it('keeps its name if there is no room for its progress', () => {
    const heads = [36, 30, 26, 20].map((width) => shown(RUNNING, { width, now: 2640 })[0]);
    expect(heads).toEqual([
      '⠸ filesystem · read_file   40 %  2 s',
      '⠸ filesystem · read_file   2 s',
      '⠸ filesystem · read_file',
      '⠸ filesystem · read…',
    ]);
  });

  it('states how much of a long result is not shown', () => {
    const parts = [{ kind: 'text', text: 'x\n'.repeat(200_000) }] as const;
    const call = { ...CALLS['done']!, answer: { id: '', tool: '', isError: false, parts } };
    expect(shown(call, { isFolded: false }).at(-1)).toBe('    … 199990 more lines');
  });
});

describe('a file change on the screen', () => {
  it('has line numbers of both sides, and an ellipsis between hunks', () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
    const after = before.replace('line 2\n', '').replace('line 25', 'line 25!');
    const lines = changeLines({ path: 'a.txt', before, after }, { width: 40, theme: PLAIN_THEME });
    expect(lines.map((line) => toAnsi(line, PLAIN_THEME).trimEnd())).toEqual([
      'a.txt                              +1 -2',
      ' 1   line 1',
      ' 2 - line 2',
      ' 2   line 3',
      ' 3   line 4',
      ' 4   line 5',
      ' …',
      '21   line 22',
      '22   line 23',
      '23   line 24',
      '25 - line 25',
      '24 + line 25!',
      '25   line 26',
      '26   line 27',
      '27   line 28',
    ]);
  });

  it('is red and green if there is colour', () => {
    const lines = changeLines(
      { path: 'a', before: 'b\n', after: 'c\n' },
      { width: 40, theme: DEFAULT_THEME },
    );
    const [, removed = [], added = []] = lines;
    expect([removed, added].map((line) => line.at(-1)?.style)).toEqual([
      { role: 'bad' },
      { role: 'good' },
    ]);
  });

  it('is shown completely if both sides have too little in common', () => {
    const many = (word: string): string =>
      Array.from({ length: 3000 }, (_, index) => `${word} ${index}\n`).join('');
    const lines = changeLines(
      { path: 'a', before: many('b'), after: many('c') },
      { width: 40, theme: PLAIN_THEME },
    );
    expect(lines.length).toBe(6001);
  });
});
