// What a finished call shows while folded, and its duration.

import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { onKey } from '../../src/tui/act/index.ts';
import { press } from '../../src/tui/keys/index.ts';
import { callLines } from '../../src/tui/view/call-lines.ts';
import type { CallView } from '../../src/tui/view/call-view.ts';
import { toAnsi } from '../../src/tui/view/spans.ts';
import { DEFAULT_THEME, PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { onEvent } from '../../src/tui/state/index.ts';
import {
  after,
  agent,
  approval,
  callEnded,
  callStarted,
  emptyScreen,
  STARTED,
} from './empty-chat.ts';

const DONE: CallView = {
  id: 'c',
  agent: 'agent',
  tool: 'mcp__workspace__edit_file',
  server: 'workspace',
  title: 'Edit a file',
  arguments: { path: 'src/a.ts', old_text: 'const a = 1;', new_text: 'const a = 2;' },
  state: 'done',
  startedAt: 0,
  ms: 5,
  answer: {
    id: 'c',
    tool: 'mcp__workspace__edit_file',
    isError: false,
    parts: [{ kind: 'text', text: 'Edited src/a.ts at line 1' }],
  },
};

function folded(call: CallView, theme = PLAIN_THEME): readonly string[] {
  const look = { width: 60, isFolded: true, now: 0, theme };
  return callLines(call, look).map((line) => toAnsi(line, theme).trimEnd());
}

function answered(call: CallView, ...texts: readonly string[]): CallView {
  const parts = texts.map((text) => ({ kind: 'text', text }) as const);
  return { ...call, answer: { id: 'c', tool: call.tool, isError: false, parts } };
}

describe('a finished call', () => {
  it('keeps showing the approved change of a file, with syntax colours', () => {
    verifies('AGT-16');
    const change = {
      path: 'src/a.ts',
      before: 'let b;\nconst a = 1;\n',
      after: 'let b;\nconst a = 2;\n',
    };
    expect(folded({ ...DONE, change }).slice(1)).toEqual([
      expect.stringMatching(/^ {2}│ src\/a\.ts +\+1 -1$/u),
      '  │ 1   let b;',
      '  │ 2 - const a = 1;',
      '  │ 2 + const a = 2;',
    ]);
    // The keyword has its own colour, and removed lines are red as a whole.
    const [, , , gone, come] = folded({ ...DONE, change }, DEFAULT_THEME);
    expect(come).toContain('\u001B[38;5;97mconst');
    expect(gone).toContain('\u001B[38;5;160mconst a = 1;');
  });

  it('does not show a replaced file as new', () => {
    const write = { ...DONE, tool: 'mcp__workspace__write_file' };
    const given = { path: 'a.ts', content: 'x\n' };
    const replaced = answered({ ...write, arguments: given }, 'Replaced a.ts: 1 line added');
    expect(folded(replaced)).toHaveLength(1);
    const created = answered({ ...write, arguments: given }, 'Created a.ts with 1 line.');
    expect(folded(created).join('\n')).toContain('a.ts (new file)');
  });

  it("shows the last lines of a command's output", () => {
    verifies('AGT-16');
    const run = {
      ...DONE,
      tool: 'mcp__workspace__run_command',
      arguments: { command: 'npm test' },
    };
    const output = ['exit code 1', ...Array.from({ length: 20 }, (_, index) => `line ${index}`)];
    expect(folded(answered(run, output.join('\n'))).slice(1)).toEqual([
      '  └ … 16 lines above',
      ...[15, 16, 17, 18, 19].map((index) => `    line ${index}`),
    ]);
  });

  it('counts the lines for people, without the JSON for programs', () => {
    verifies('AGT-17');
    const call = { ...DONE, server: 's', tool: 'mcp__s__list' };
    const ends = [
      answered(call, 'one'),
      answered(call, 'one\ntwo', '{\n  "lines": [\n    1,\n    2\n  ]\n}'),
      answered(call, '{\n  "only": 1\n}'),
    ].map((one) => /(\d+ lines?) · 5 ms$/u.exec(folded(one)[0] ?? '')?.[1]);
    expect(ends).toEqual(['1 line', '2 lines', '3 lines']);
  });

  it('does not count the time in which it waited for the user', () => {
    verifies('AGT-17');
    const asked = [STARTED, callStarted('c'), approval('a', 'c')].reduce(
      (screen, event) => onEvent(screen, event, 1000),
      emptyScreen(),
    );
    const closed = onEvent(asked, { kind: 'closed', id: 'a' }, 61_000);
    const ended = onEvent(closed, { ...callEndedAfter('c', 60_250) }, 61_250);
    const [call] = ended.finished.flatMap((item) => (item.kind === 'call' ? [item.call] : []));
    expect(call?.ms).toBe(250);
  });

  it('can be unfolded and folded individually', () => {
    verifies('AGT-16');
    const screen = after([
      STARTED,
      callStarted('a'),
      callEnded('a'),
      callStarted('b'),
      callEnded('b'),
    ]);
    const times = { now: 0, typedAt: -10_000, askedAt: -10_000 };
    const alt = press('o', { alt: true });
    const open = onKey(screen, alt, times).screen;
    expect(open.panel?.kind === 'picker' ? open.panel.picker.rows.length : 0).toBe(2);
    const chosen = onKey(onKey(open, press('down'), times).screen, press('enter'), times);
    expect(chosen.effects).toEqual([{ kind: 'redraw' }]);
    const [first] = screen.finished.filter(({ kind }) => kind === 'call');
    expect([...chosen.screen.turnedOver]).toEqual([first?.id]);
    const again = onKey(onKey(chosen.screen, alt, times).screen, press('down'), times).screen;
    expect([...onKey(again, press('enter'), times).screen.turnedOver]).toEqual([]);
  });
});

function callEndedAfter(id: string, ms: number) {
  const answer = { id, tool: 'mcp__s__t', isError: false, parts: [] };
  return agent({ kind: 'call-ended', id, ms, answer });
}
