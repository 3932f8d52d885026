// An approval on a screen with very few rows: the tool stays in sight, and a yes counts only after everything was seen.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawApproval } from '../../src/tui/view/approval-lines.ts';
import { lineWidth, toAnsi } from '../../src/tui/view/spans.ts';
import { PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { APPROVALS } from './gallery/samples.ts';

const theme = PLAIN_THEME;
const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, 'value']));
const kept = {
  rules: ['files/write_file(src)', 'files/*'],
  file: '~/.config/plugboard/settings.json',
};
const approval = {
  ...APPROVALS['call']!,
  arguments: many,
  offers: ['once', 'session', 'always', 'always-here'],
  kept,
} as const;

function drawn(state: Parameters<typeof drawApproval>[1], width = 29): readonly string[] {
  return drawApproval(approval, state, { width, theme }).lines.map((line) => toAnsi(line, theme));
}

describe('an approval on a screen of 30 columns and 10 rows', () => {
  it('shows the server and tool, how to read on, and the keys of all answers', () => {
    expect(drawn({ selected: 0, rows: 8 })).toMatchInlineSnapshot(`
      [
        "▲ Allow this call?",
        "  github · create_issue",
        "  sub-agent researcher",
        "  │ key0   value",
        "  │ key1   value",
        "  … 24 below · PgDn",
        "› y  Yes, once",
        "  y s a h r e n d · arrows",
      ]
    `);
    expect(drawn({ selected: 1, rows: 8, unseen: 20, offset: 4 })).toMatchInlineSnapshot(`
      [
        "▲ Allow this call?",
        "  github · create_issue",
        "  sub-agent researcher",
        "  │ key4   value",
        "  │ key5   value",
        "  … 4 above, 20 below · PgDn",
        "› u  Yes, without having see…",
        "▲ 20 not shown · p u n",
      ]
    `);
  });

  it('shows the typed text instead of the call', () => {
    expect(drawn({ selected: 0, rows: 8, reason: 'not there' })).toMatchInlineSnapshot(`
      [
        "▲ Allow this call?",
        "  github · create_issue",
        "  sub-agent researcher",
        "  No, because",
        "  ┃ not there_",
      ]
    `);
  });

  it('begins with the question and is never taller than its room', () => {
    const screens = fc.record({
      sample: fc.constantFrom(approval, ...Object.values(APPROVALS)),
      width: fc.integer({ min: 12, max: 60 }),
      rows: fc.integer({ min: 3, max: 16 }),
      selected: fc.integer({ min: -1, max: 2 }),
      offset: fc.integer({ min: 0, max: 30 }),
      typed: fc.constantFrom({}, { reason: 'no' }, { editing: '{}', problem: 'This is not JSON' }),
      unseen: fc.constantFrom(undefined, 0, 3),
    });
    fc.assert(
      fc.property(screens, ({ sample, width, typed, ...state }) => {
        const lines = drawApproval(sample, { ...state, ...typed }, { width, theme }).lines;
        const [head = []] = lines;
        return (
          lines.length <= state.rows &&
          lines.every((line) => lineWidth(line) <= width) &&
          toAnsi(head, theme).startsWith('▲ ')
        );
      }),
    );
  });

  it('shows every line of the call and of its rule on some page', () => {
    const canvas = { width: 29, theme };
    const seen = new Set<string>();
    let offset = 0;
    for (let page = 0; page < 100; page += 1) {
      const shown = drawApproval(approval, { selected: 0, rows: 8, offset }, canvas);
      for (const line of shown.lines.slice(0, 8)) seen.add(toAnsi(line, theme));
      offset = shown.to;
      if (offset >= shown.total) break;
    }
    const words = [...seen].join('\n');
    for (const key of Object.keys(many)) expect(words).toContain(key);
    expect(words).toContain('files/write_file(src)');
    expect(words.replaceAll(/\s+/g, '')).toContain(kept.file);
  });
});
