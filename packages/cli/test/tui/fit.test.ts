// Everything that is drawn is less tall than the screen: a taller frame would make the terminal clear everything, including the
// scrollback.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item, Screen } from '../../src/tui/state/index.ts';
import { tailOf } from '../../src/tui/view/text-tail.ts';
import { liveLines } from '../../src/tui/app/live-lines.ts';
import { drawApproval } from '../../src/tui/view/approval-lines.ts';
import { newForm } from '../../src/tui/state/form.ts';
import { mcpPanelLines } from '../../src/tui/view/mcp-panel-lines.ts';
import { questionLines } from '../../src/tui/view/question-lines.ts';
import { toAnsi } from '../../src/tui/view/spans.ts';
import { PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { emptyScreen } from './empty-chat.ts';
import { APPROVALS, CALLS, FORM, MARKDOWN, SERVERS } from './gallery/samples.ts';

const theme = PLAIN_THEME;
const WIDTHS = [49, 79, 119];
const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`key${at}`, 'value']));

describe('a question on a small screen', () => {
  it('shows all answers and a part of the call from 12 rows on', () => {
    for (const width of WIDTHS) {
      for (let rows = 12; rows <= 40; rows += 1) {
        for (const state of [{}, { editing: JSON.stringify(many, undefined, 2) }]) {
          const lines = drawApproval(
            { ...APPROVALS['call']!, arguments: many },
            { selected: 0, rows, ...state },
            { width, theme },
          ).lines.map((line) => toAnsi(line, theme));
          expect([lines.length <= rows, lines.some((line) => line.includes('│ key0'))]).toEqual([
            true,
            true,
          ]);
          const words = lines.join('\n');
          const wanted = 'editing' in state ? ['Enter lets it run'] : ['Yes, once', 'No, and say'];
          for (const one of wanted) expect(words).toContain(one);
        }
      }
    }
  });

  it('does not mention hidden lines if there are none', () => {
    const approval = { ...APPROVALS['call']!, arguments: { a: 1 } };
    for (let rows = 10; rows <= 40; rows += 1) {
      const lines = drawApproval(approval, { selected: 0, rows }, { width: 79, theme }).lines;
      expect(lines.map((line) => toAnsi(line, theme)).join('\n')).not.toContain('PgDn');
    }
  });

  it('shows the current field of a form, and how many others there are', () => {
    const fields = Array.from({ length: 30 }, (_, at) => ({ ...FORM.fields[0]!, name: `f${at}` }));
    const form = { ...FORM, fields: fields.map((one) => ({ ...one, title: `Field ${one.name}` })) };
    for (const field of [0, 14, 29, 30]) {
      const look = { kind: 'form', form, state: { ...newForm(form), field } } as const;
      const lines = questionLines('files', look, { width: 79, theme, rows: 20 });
      const words = lines.map((line) => toAnsi(line, theme)).join('\n');
      expect(lines.length).toBeLessThanOrEqual(20);
      expect(words).toContain(`Field f${Math.min(field, 29)}`);
      expect(words).toMatch(/… \d+ more (?:above|below)/);
      expect(words).toContain('Send');
    }
  });

  it('shows the current server, however many there are and whatever it reports', () => {
    const servers = Array.from({ length: 40 }, (_, at) => ({
      ...SERVERS[0]!,
      name: `server-${at}`,
      detail: 'word '.repeat(500),
    }));
    for (const rows of [14, 20, 30]) {
      const lines = mcpPanelLines(servers, { selected: 33, rows }, { width: 79, theme });
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.map((line) => toAnsi(line, theme)).join('\n')).toContain('› ● server-33');
    }
  });
});

describe('the list of servers on a small screen', () => {
  const text = 'the name of this server is not one that can be used here '.repeat(3);
  const problems = [{ level: 'warning', text, fix: text }] as const;

  it('prefers the selected server and its neighbours to problems of the configuration, which are counted', () => {
    const state = { selected: 1, rows: 18, problems };
    const lines = mcpPanelLines(SERVERS, state, { width: 39, theme });
    const words = lines.map((line) => toAnsi(line, theme)).join('\n');
    expect(lines.length).toBeLessThanOrEqual(18);
    expect(words).toMatch(/codebase[^]*› . filesystem[^]*github/);
    expect(words).toContain('1 problem: see plugboard list');
    const whole = mcpPanelLines(SERVERS, { ...state, rows: 60 }, { width: 39, theme });
    expect(whole.map((line) => toAnsi(line, theme)).join('\n')).toContain('is not one that');
  });
});

describe('the changing part of the screen', () => {
  const call = Object.values(CALLS)[0]!;
  const item = fc.oneof(
    fc.constant({ kind: 'call', call } as const),
    fc.constant({ kind: 'text', text: MARKDOWN, isOpen: true } as const),
    fc.constant({ kind: 'text', text: 'word '.repeat(900), isOpen: true } as const),
    fc.constant({ kind: 'shown', text: 'line\n'.repeat(40) } as const),
    fc.constant({ kind: 'notice', notice: { level: 'info', text: 'x' } } as const),
  );

  it('is never taller than its room', () => {
    const screens = fc.record({
      items: fc.array(item, { maxLength: 30 }),
      waiting: fc.array(fc.constant('next'), { maxLength: 9 }),
      room: fc.integer({ min: -3, max: 40 }),
      columns: fc.constantFrom(20, 50, 120),
    });
    fc.assert(
      fc.property(screens, ({ items, waiting, room, columns }) => {
        const live = items.map((one, id): Item => ({ ...one, id }));
        const screen: Screen = { ...emptyScreen(), live, waiting, columns };
        const lines = liveLines(screen, { room, now: 0, theme });
        return lines.length <= Math.max(0, room) && lines.every((line) => !line.includes('\n'));
      }),
    );
  });

  it('has an empty line between calls and the following text', () => {
    const live: readonly Item[] = [
      { id: 1, kind: 'call', call },
      { id: 2, kind: 'call', call },
      { id: 3, kind: 'text', text: 'Found.', isOpen: true },
    ];
    const lines = liveLines({ ...emptyScreen(), live }, { room: 20, now: 0, theme });
    expect(lines.slice(-3)).toEqual(['', '  Found.', '']);
    const calls = liveLines(
      { ...emptyScreen(), live: live.slice(0, 2) },
      { room: 20, now: 0, theme },
    );
    expect(calls.filter((line) => line === '')).toEqual(['']);
    expect(calls.at(-1)).toBe('');
  });

  it('keeps the head of a table whose rows are cut', () => {
    const rows = Array.from({ length: 30 }, (_, at) => `| row ${at} | b |`);
    const text = ['Before', '', '| a | b |', '|---|---|', ...rows].join('\n');
    expect(tailOf(text, 2)).toBe('| a | b |\n|---|---|\n| row 28 | b |\n| row 29 | b |');
  });
});
