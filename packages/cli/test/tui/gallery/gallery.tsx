// One of everything that the terminal agent draws, as text. Golden tests compare it, and people look at it with
// `npx tsx --tsconfig tsconfig.test.json packages/cli/test/tui/gallery/print.ts 80`.

import { renderToString } from 'ink';
import type { ReactElement } from 'react';
import {
  Approval,
  AssistantText,
  Call,
  CompletionMenu,
  McpPanel,
  NoticeLine,
  Opening,
  Question,
  Reasoning,
  StatusLine,
  type Theme,
  ThemeProvider,
  UserLine,
} from '../../../src/tui/view/index.ts';
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
  return Object.entries(pictures(width)).map(([name, drawn]) => ({
    name,
    text: renderToString(<ThemeProvider value={theme}>{drawn}</ThemeProvider>, { columns: width }),
  }));
}

const NOW = 3200;
const EMPTY = {
  field: 0,
  values: { seats: 3, plan: 'team' },
  editor: { text: '', cursor: 0 },
  option: 0,
};

function pictures(width: number): Readonly<Record<string, ReactElement>> {
  const approval = (name: string, more: object = {}): ReactElement => (
    <Approval approval={APPROVALS[name]!} selected={0} width={width} {...more} />
  );
  const form = (state: object): ReactElement => (
    <Question
      server="billing"
      answering={{ kind: 'form', form: FORM, state: { ...EMPTY, ...state } }}
      width={width}
    />
  );
  return {
    opening: <Opening opening={OPENING} width={width} />,
    'opening without a model': <Opening opening={NO_MODEL} width={width} />,
    user: <UserLine parts={USER} width={width} />,
    'reasoning, folded': <Reasoning text={REASONING} isFolded width={width} />,
    reasoning: <Reasoning text={REASONING} isFolded={false} width={width} />,
    assistant: <AssistantText text={MARKDOWN} width={width} />,
    ...Object.fromEntries(
      Object.entries(CALLS).map(([name, call]) => [
        `call ${name}`,
        <Call call={call} isFolded width={width} now={NOW} key={name} />,
      ]),
    ),
    'call done, unfolded': <Call call={CALLS['done']!} isFolded={false} width={width} now={NOW} />,
    'call failed, unfolded': (
      <Call call={CALLS['failed']!} isFolded={false} width={width} now={NOW} />
    ),
    'edit, unfolded': <Call call={EDIT_CALL} isFolded={false} width={width} now={NOW} />,
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
    page: (
      <Question
        server="billing"
        answering={{ kind: 'page', page: PAGE, selected: 0 }}
        width={width}
      />
    ),
    'servers panel': <McpPanel servers={SERVERS} selected={3} width={width} />,
    'servers panel, empty': <McpPanel servers={[]} selected={0} width={width} />,
    'status line': (
      <StatusLine
        model="anthropic/claude-sonnet-4-5"
        tokens={18_240}
        cost={0.124}
        servers={SERVERS}
        hint="? for help"
        width={width}
      />
    ),
    'status line, busy': (
      <StatusLine
        model={undefined}
        servers={SERVERS}
        busy="thinking · 3 s"
        hint="Esc ends the turn"
        width={width}
      />
    ),
    completion: (
      <CompletionMenu
        choices={[
          {
            text: '/mcp',
            label: '/mcp',
            detail: 'servers: how they are, sign in, switch on and off',
          },
          { text: '/tools', label: '/tools', detail: 'the tools on offer' },
          { text: '/github:review', label: '/github:review', detail: 'Review a pull request' },
        ]}
        selected={1}
        width={width}
      />
    ),
    notice: (
      <NoticeLine
        notice={{
          level: 'warning',
          text: 'server "postgres" is down: connection refused',
          fix: '/mcp, then r',
        }}
        width={width}
      />
    ),
    'notice, error': (
      <NoticeLine
        notice={{
          level: 'error',
          text: 'the key was refused by anthropic',
          fix: 'export ANTHROPIC_API_KEY=…',
        }}
        width={width}
      />
    ),
    'notice, info': (
      <NoticeLine
        notice={{ level: 'info', text: 'the conversation was compacted: 120k tokens to 14k' }}
        width={width}
      />
    ),
  };
}
