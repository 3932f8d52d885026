// The effects of events on the screen.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '@plugboard/agent';
import type { ChatEvent } from '../../src/chat/index.ts';
import { lowerLines } from '../../src/tui/app/lower-lines.ts';
import type { Item, Screen } from '../../src/tui/state/index.ts';
import { tailOf } from '../../src/tui/view/text-tail.ts';
import { PLAIN_THEME } from '../../src/tui/view/theme.ts';
import {
  after,
  agent,
  approval,
  callEnded,
  callStarted,
  emptyChat,
  emptyScreen,
  ENDED,
  STARTED,
} from './empty-chat.ts';

function text(words: string): ChatEvent {
  return agent({ kind: 'text', text: words });
}

function brief(items: readonly Item[]): readonly string[] {
  return items.map((item) => {
    switch (item.kind) {
      case 'text':
      case 'reasoning':
        return `${item.kind} ${item.text}`;
      case 'call':
        return `call ${item.call.id} ${item.call.state}`;
      case 'notice':
        return `notice ${item.notice.text}`;
      default:
        return item.kind;
    }
  });
}

function shown({ finished, live }: Screen): {
  finished: readonly string[];
  live: readonly string[];
} {
  return { finished: brief(finished), live: brief(live) };
}

describe('the state of the screen', () => {
  it('keeps growing text separate from finished text', () => {
    expect(shown(after([STARTED, text('one '), text('two')]))).toEqual({
      finished: ['opening', 'user'],
      live: ['text one two'],
    });
    expect(shown(after([STARTED, text('one'), ENDED]))).toEqual({
      finished: ['opening', 'user', 'text one', 'turn-end'],
      live: [],
    });
  });

  it('reports an empty answer of the model, and no other', () => {
    const notices = (events: readonly ChatEvent[]): readonly string[] =>
      shown(after(events)).finished.filter((one) => one.startsWith('notice'));
    expect(notices([STARTED, ENDED])).toEqual(['notice The model gave an empty answer.']);
    expect(notices([STARTED, callStarted('c'), callEnded('c'), ENDED])).toEqual([]);
    expect(notices([STARTED, text('hi'), ENDED])).toEqual([]);
  });

  it('records when the request is repeated', () => {
    const failure = { kind: 'rate-limited', message: 'slow down' } as const;
    const { turn } = after([STARTED, agent({ kind: 'retrying', afterMs: 8000, failure })]);
    expect(turn).toMatchObject({ doing: 'retrying', retryAt: 9000 });
  });

  it('finishes complete blocks of a text before its end', () => {
    expect(shown(after([STARTED, text('# Title\n\nfirst'), text(' part\n\nsecond')]))).toEqual({
      finished: ['opening', 'user', 'text # Title', 'text first part'],
      live: ['text second'],
    });
  });

  it('does not split a text at a notice that arrives meanwhile', () => {
    const notice: ChatEvent = { kind: 'notice', notice: { level: 'warning', text: 'down' } };
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n';
    const torn = [STARTED, text(table), notice, text('| 3 | 4 |')];
    expect(shown(after(torn))).toEqual({
      finished: ['opening', 'user'],
      live: [`text ${table}| 3 | 4 |`, 'notice down'],
    });
    // Complete blocks are still drawn early, and the notice follows after the end of the text.
    expect(shown(after([...torn, text('\n\nmore'), text(' words'), ENDED]))).toEqual({
      finished: [
        ...['opening', 'user', `text ${table}| 3 | 4 |`, 'text more words', 'notice down'],
        'turn-end',
      ],
      live: [],
    });
  });

  it('never cuts a block of code', () => {
    const code = '```\na\n\nb\n';
    expect(shown(after([STARTED, text(code), text('\nc')])).live).toEqual([`text ${code}\nc`]);
  });

  it('keeps calls in order, whichever ends first', () => {
    const events = [STARTED, callStarted('1'), callStarted('2'), callEnded('2')];
    expect(shown(after(events)).live).toEqual(['call 1 running', 'call 2 done']);
    expect(shown(after([...events, callEnded('1', true)]))).toEqual({
      finished: ['opening', 'user', 'call 1 failed', 'call 2 done'],
      live: [],
    });
  });

  it('shows a call from its announcement on, once', () => {
    const announced = agent({ kind: 'call-announced', id: '1', tool: 'x' });
    expect(shown(after([STARTED, announced])).live).toEqual(['call 1 announced']);
    expect(shown(after([STARTED, announced, callStarted('1')])).live).toEqual(['call 1 running']);
  });

  it('marks a call that waits for approval', () => {
    const asked = after([STARTED, callStarted('1'), approval('a', '1'), approval('b')]);
    expect([shown(asked).live, asked.questions.map(({ id }) => id)]).toEqual([
      ['call 1 waiting'],
      ['a', 'b'],
    ]);
    const closed = after([{ kind: 'closed', id: 'a' }], asked);
    expect([shown(closed).live, closed.questions.map(({ id }) => id)]).toEqual([
      ['call 1 running'],
      ['b'],
    ]);
  });

  it('marks unfinished calls of an ended turn as cancelled', () => {
    const end = agent({ kind: 'turn-ended', end: { kind: 'cancelled' } });
    expect(shown(after([STARTED, callStarted('1'), end]))).toEqual({
      finished: ['opening', 'user', 'call 1 cancelled', 'turn-end'],
      live: [],
    });
  });

  it('shows the calls of a sub-agent, and not its text', () => {
    const events = [
      STARTED,
      callStarted('1'),
      agent({ kind: 'turn-started', message: { kind: 'user', parts: [] }, agent: 'helper' }),
      agent({ kind: 'text', text: 'inner', agent: 'helper' }),
      callStarted('2', 'helper'),
      agent({ kind: 'turn-ended', end: { kind: 'done' }, agent: 'helper' }),
    ];
    const screen = after(events);
    expect(shown(screen).live).toEqual(['call 1 running', 'call 2 running']);
    expect(screen.turn?.agent).toBe('agent');
  });

  it('adds up the cost, and shows how full the context is', () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const used = agent({ kind: 'usage', usage, cost: 0.25 });
    expect(after([used, used])).toMatchObject({ tokens: 15, cost: 0.5 });
  });

  it('is empty after it is cleared', () => {
    const cleared = after([
      STARTED,
      text('x'),
      { kind: 'conversation', conversation: { messages: [] } },
    ]);
    expect([shown(cleared), cleared.epoch]).toEqual([{ finished: ['opening'], live: [] }, 1]);
  });

  it('shows the end of a resumed conversation', () => {
    const say = (index: number): Message => ({
      kind: 'user',
      parts: [{ kind: 'text', text: `${index}` }],
    });
    const earlier = Array.from({ length: 2000 }, (_, index) => say(index));
    const { finished } = emptyScreen(emptyChat({ earlier }));
    expect([finished.length, brief(finished).slice(0, 3)]).toEqual([
      62,
      ['opening', 'notice … 1940 earlier messages are not shown', 'user'],
    ]);
  });

  it('keeps ids in the order of the items if a text ends a block above a notice', () => {
    const notice = { kind: 'notice', notice: { level: 'info', text: 'n' } } as const;
    const { finished, live } = after([text('a'), notice, text('\n\n'), text('b')]);
    expect([...finished, ...live].map((item) => [item.id, item.kind])).toEqual([
      [0, 'opening'],
      [1, 'text'],
      [3, 'text'],
      [4, 'notice'],
    ]);
  });

  it('loses nothing and shows nothing twice, in whatever order events arrive', () => {
    const event = fc.constantFrom<ChatEvent>(
      STARTED,
      ENDED,
      text('a'),
      text('\n\n'),
      agent({ kind: 'reasoning', text: 'r' }),
      callStarted('1'),
      callStarted('2', 'helper'),
      callEnded('1'),
      callEnded('2', true),
      approval('x', '1'),
      { kind: 'closed', id: 'x' },
      { kind: 'notice', notice: { level: 'info', text: 'n' } },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const screen = after(events);
        const ids = [...screen.finished, ...screen.live].map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((one, other) => one - other));
        expect(new Set(ids).size).toBe(ids.length);
        const letters = [...screen.finished, ...screen.live].flatMap((item) =>
          item.kind === 'text' ? item.text.replaceAll('\n', '') : '',
        );
        const given = events.filter(
          (one) => one.kind === 'agent' && one.event.kind === 'text' && one.event.text === 'a',
        );
        expect(letters.join('').length).toBe(given.length);
      }),
    );
  });
});

describe('a screen with a question', () => {
  const theme = PLAIN_THEME;

  it('does not change as time passes, and says that it waits for the user', () => {
    const asked = after([STARTED, callStarted('c'), approval('a', 'c')]);
    const lines = lowerLines(asked, { now: 5000, theme });
    expect(lines.at(-1)).toMatch(/^waits for you /);
    expect(lowerLines(asked, { now: 65_000, theme })).toEqual(lines);
    const answered = after([{ kind: 'closed', id: 'a' }], asked);
    expect(lowerLines(answered, { now: 5000, theme }).at(-1)).toMatch(/^calling 4 s/);
  });
});

describe('the end of a long text', () => {
  it('reopens the code fence that it is in', () => {
    expect(tailOf('```ts\n1\n2\n3\n4', 2)).toBe('```ts\n3\n4');
    expect(tailOf('```\n1\n```\nx\ny', 2)).toBe('x\ny');
  });
});
