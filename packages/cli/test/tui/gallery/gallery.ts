// A sample of everything that the terminal agent draws, as text. Golden tests compare it. To look at it:
// `npx tsx --tsconfig tsconfig.test.json packages/cli/test/tui/gallery/print.ts 80`.

import { drawApproval } from '../../../src/tui/view/approval-lines.ts';
import { callLines } from '../../../src/tui/view/call-lines.ts';
import { completionLines } from '../../../src/tui/view/completion-lines.ts';
import { mcpPanelLines } from '../../../src/tui/view/mcp-panel-lines.ts';
import { assistantLines, reasoningLines, userLines } from '../../../src/tui/view/message-lines.ts';
import { noticeLines } from '../../../src/tui/view/notice-lines.ts';
import { openingLines } from '../../../src/tui/view/opening-lines.ts';
import { questionLines } from '../../../src/tui/view/question-lines.ts';
import { type Canvas, type Line, toAnsi } from '../../../src/tui/view/spans.ts';
import { statusWords } from '../../../src/tui/view/status-words.ts';
import type { Theme } from '../../../src/tui/view/theme.ts';
import {
  APPROVALS,
  CALLS,
  EDIT_CALL,
  FORM,
  MARKDOWN,
  NO_MODEL,
  OPENING,
  PAGE,
  REASONING,
  SERVERS,
  USER,
} from './samples.ts';

export interface Picture {
  readonly name: string;
  readonly text: string;
}

export function gallery(width: number, theme: Theme): readonly Picture[] {
  const canvas = { width, theme };
  const pictures = { ...talk(canvas), ...asked(canvas), ...around(canvas), ...notices(canvas) };
  const drawn = Object.entries(pictures).map(([name, lines]) => ({
    name,
    text: lines.map((line) => toAnsi(line, theme).trimEnd()).join('\n'),
  }));
  const text = assistantLines(MARKDOWN, { ...canvas, isStreaming: false }).join('\n');
  const place = drawn.findIndex(({ name }) => name === 'reasoning') + 1;
  return drawn.toSpliced(place, 0, { name: 'assistant', text });
}

type Pictures = Readonly<Record<string, readonly Line[]>>;

const NOW = 3200;

function talk(canvas: Canvas): Pictures {
  const call = (given: (typeof CALLS)[string], isFolded: boolean): readonly Line[] =>
    callLines(given, { ...canvas, isFolded, now: NOW });
  return {
    opening: openingLines(OPENING, canvas),
    'opening without a model': openingLines(NO_MODEL, canvas),
    user: userLines(USER, canvas),
    'reasoning, folded': reasoningLines(REASONING, { ...canvas, isFolded: true }),
    reasoning: reasoningLines(REASONING, { ...canvas, isFolded: false }),
    ...Object.fromEntries(
      Object.entries(CALLS).map(([name, one]) => [`call ${name}`, call(one, true)]),
    ),
    'call done, unfolded': call(CALLS['done']!, false),
    'call failed, unfolded': call(CALLS['failed']!, false),
    'edit, unfolded': call(EDIT_CALL, false),
  };
}

const EMPTY = {
  field: 0,
  values: { seats: 3, plan: 'team' },
  editor: { text: '', cursor: 0 },
  option: 0,
};

function asked(canvas: Canvas): Pictures {
  const approval = (name: string, more: object = {}): readonly Line[] =>
    drawApproval(APPROVALS[name]!, { selected: 0, ...more }, canvas).lines;
  const form = (state: object): readonly Line[] =>
    questionLines(
      'billing',
      { kind: 'form', form: FORM, state: { ...EMPTY, ...state } },
      { ...canvas, rows: undefined },
    );
  return {
    approval: approval('call'),
    'approval of a command': approval('command', { selected: 1 }),
    'approval of a change': approval('change'),
    'approval, arguments edited': approval('command', {
      editing: '{\n  "command": "npm test"\n}',
      cursor: 16,
      problem: 'This is not JSON',
    }),
    'approval, reason typed': approval('command', { reason: 'not in this folder' }),
    'approval in little room': approval('call', { rows: 20, offset: 1 }),
    'form, text': form({
      editor: { text: 'Ada', cursor: 3 },
      problem: { kind: 'too-short', limit: 2 },
    }),
    'form, mail': form({
      field: 1,
      values: { name: 'Ada', seats: 3, plan: 'team' },
      editor: { text: 'ada@', cursor: 2 },
    }),
    'form, choice': form({
      field: 4,
      option: 1,
      values: { name: 'Ada', news: true, plan: 'team' },
    }),
    'form, choices': form({ field: 5, option: 1, values: { plan: 'team', regions: ['eu'] } }),
    'form, sending': form({ field: 6 }),
    page: questionLines(
      'billing',
      { kind: 'page', page: PAGE, selected: 0 },
      { ...canvas, rows: undefined },
    ),
  };
}

function around(canvas: Canvas): Pictures {
  return {
    'servers panel': mcpPanelLines(SERVERS, { selected: 3 }, canvas),
    'servers panel, empty': mcpPanelLines([], { selected: 0 }, canvas),
    'status line': [
      statusWords(
        {
          model: 'anthropic/claude-sonnet-4-5',
          tokens: 18_240,
          cost: 0.124,
          servers: SERVERS,
          hint: '? for help',
        },
        canvas,
      ),
    ],
    'status line, busy': [
      statusWords({ servers: SERVERS, busy: 'thinking · 3 s', hint: 'Esc ends the turn' }, canvas),
    ],
    completion: completionLines(
      [
        {
          text: '/mcp',
          label: '/mcp',
          detail: 'servers: how they are, sign in, switch on and off',
        },
        { text: '/tools', label: '/tools', detail: 'the tools on offer' },
        { text: '/github:review', label: '/github:review', detail: 'Review a pull request' },
      ],
      1,
      canvas,
    ),
  };
}

function notices(canvas: Canvas): Pictures {
  return {
    notice: noticeLines(
      {
        level: 'warning',
        text: 'server "postgres" is down: connection refused',
        fix: '/mcp, then r',
      },
      canvas,
    ),
    'notice, error': noticeLines(
      {
        level: 'error',
        text: 'the key was refused by anthropic',
        fix: 'export ANTHROPIC_API_KEY=…',
      },
      canvas,
    ),
    'notice, info': noticeLines(
      { level: 'info', text: 'the conversation was compacted: 120k tokens to 14k' },
      canvas,
    ),
  };
}
