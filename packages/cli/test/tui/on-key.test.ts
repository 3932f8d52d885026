// The effects of keys, depending on what is on the screen.

import { describe, expect, it } from 'vitest';
import type { AskedForm, FormField } from '@plugboard/host';
import { type Effect, onKey } from '../../src/tui/act/index.ts';
import { KeyParser } from '../../src/tui/keys/index.ts';
import { newForm, type Screen } from '../../src/tui/state/index.ts';
import { after, approval, callEnded, callStarted, emptyScreen, STARTED } from './empty-chat.ts';

const ESCAPE = '\u001B';
const CTRL_C = '\u0003';

interface PressResult {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

/** Presses keys one by one, by default long after the last key in the prompt. */
function press(screen: Screen, input: string, pausedMs = 10_000): PressResult {
  const parser = new KeyParser();
  let now = screen;
  const effects: Effect[] = [];
  for (const key of [...Array.from(input).flatMap((one) => parser.push(one)), ...parser.flush()]) {
    const acted = onKey(now, key, { now: pausedMs, typedAt: 0, askedAt: 0 });
    now = acted.screen;
    effects.push(...acted.effects.filter(({ kind }) => kind !== 'forget-completion'));
  }
  return { screen: now, effects };
}

const asked = after([STARTED, approval('a'), approval('b')]);

describe('the approval prompt of a call', () => {
  it.each(['y', 's', '\r'])('does not accept %j before it could be read', (key) => {
    const pressed = press(asked, key, 299);
    expect(pressed).toEqual({ screen: asked, effects: [] });
    expect(press(asked, key, 300).effects).toMatchObject([{ kind: 'approval', id: 'a' }]);
  });

  it.each(['y', 'n', ESCAPE])('closes after %j', (key) => {
    const { screen } = press(after([STARTED, callStarted('c'), approval('a', 'c')]), key);
    const states = screen.live.map((item) => (item.kind === 'call' ? item.call.state : item.kind));
    expect(states).toEqual(['running']);
  });
});

describe('Escape at an approval prompt', () => {
  it('stops the turn, so that its calls are shown as cancelled and not as failed', () => {
    const { screen, effects } = press(
      after([STARTED, callStarted('c'), approval('a', 'c')]),
      ESCAPE,
    );
    expect(effects.map(({ kind }) => kind)).toEqual(['approval', 'cancel']);
    const [call] = after([callEnded('c', true)], screen).finished.slice(-1);
    expect(call).toMatchObject({ kind: 'call', call: { state: 'cancelled' } });
  });
});

describe('queued messages', () => {
  const waiting = after([STARTED, { kind: 'waiting', messages: ['one', 'two'] }]);

  it('return to the prompt, before the draft, when the turn is stopped', () => {
    const { screen, effects } = press(press(waiting, 'three').screen, ESCAPE);
    expect([screen.composer.editor.text, effects]).toEqual([
      'one\ntwo\nthree',
      [{ kind: 'cancel' }],
    ]);
  });
});

describe('keys at the prompt', () => {
  it('send the typed message', () => {
    expect(press(emptyScreen(), 'hi\r').effects).toEqual([{ kind: 'submit', text: 'hi' }]);
  });

  it('request completions at the start of a completable word', () => {
    const wanted = (input: string): readonly Effect[] =>
      press(emptyScreen(), input).effects.slice(-1);
    expect(wanted('/m')).toEqual([{ kind: 'complete', text: '/m', cursor: 2 }]);
    expect(wanted('see @sr')).toEqual([{ kind: 'complete', text: 'see @sr', cursor: 7 }]);
    expect(wanted('plain')).toEqual([]);
    expect(wanted('me@home')).toEqual([]);
  });

  it('stop the turn with Escape', () => {
    expect(press(after([STARTED]), ESCAPE)).toMatchObject({
      effects: [{ kind: 'cancel' }],
      screen: { turn: { isCancelled: true } },
    });
    expect(press(emptyScreen(), ESCAPE).effects).toEqual([]);
  });

  it('clear the prompt with Ctrl-C, and quit with a second one', () => {
    expect(press(emptyScreen(), `text${CTRL_C}`)).toMatchObject({
      effects: [],
      screen: { composer: { editor: { text: '' } } },
    });
    expect(press(emptyScreen(), CTRL_C).effects).toEqual([{ kind: 'hint-later' }]);
    expect(press(emptyScreen(), CTRL_C + CTRL_C).effects.at(-1)).toEqual({ kind: 'interrupt' });
    expect(press(emptyScreen(), `${CTRL_C}x\u007F${CTRL_C}`).effects.at(-1)?.kind).toBe(
      'hint-later',
    );
  });

  it('quit with Ctrl-D only if nothing is typed', () => {
    expect(press(emptyScreen(), '\u0004').effects).toEqual([{ kind: 'quit' }]);
    expect(press(emptyScreen(), 'a\u0001\u0004').effects).toEqual([]);
  });

  it('fold and unfold with Ctrl-O', () => {
    const { screen, effects } = press(emptyScreen(), '\u000F');
    expect([screen.isFolded, effects]).toEqual([false, [{ kind: 'redraw' }]]);
  });
});

describe('keys at an approval prompt', () => {
  const allow = (remember: string): unknown => ({ kind: 'allow', remember });

  it.each([
    ['y', allow('once')],
    ['Y', allow('once')],
    ['s', allow('session')],
    ['\r', allow('once')],
    ['\u001B[B\r', allow('session')],
    ['n', { kind: 'deny', reason: '' }],
    ['dnot now\r', { kind: 'deny', reason: 'not now' }],
    ['e\r', { kind: 'allow', remember: 'once', arguments: { a: 1 } }],
    [
      'e\u0015\u0015\u0015\u0015\u0015\u0015{"b":2}\r',
      { kind: 'allow', remember: 'once', arguments: { b: 2 } },
    ],
  ])('answer by %j', (input, answer) => {
    const { screen, effects } = press(asked, input);
    expect(effects).toEqual([{ kind: 'approval', id: 'a', answer }]);
    expect(screen.questions.map(({ id }) => id)).toEqual(['b']);
  });

  it('count a call as seen only at the width at which it was shown', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const event = approval('a') as Extract<ReturnType<typeof approval>, { kind: 'approval' }>;
    const long = after([
      STARTED,
      { kind: 'approval', approval: { ...event.approval, arguments: { text: lines.join('\n') } } },
    ]);
    const paged = press(long, ' '.repeat(9)).screen;
    expect(press(paged, 'y').effects).toMatchObject([{ answer: { kind: 'allow' } }]);
    expect(press({ ...paged, columns: 50 }, 'y').effects).toEqual([]);
    // Back at the top, with the end not shown.
    expect(press(long, 'y').screen.questions[0]).toMatchObject({ unseenYes: 'once', selected: 0 });
    expect(press(long, 'yyy\u001B[Bn').effects).toMatchObject([{ answer: { kind: 'deny' } }]);
  });

  it('require reading another rule on a screen too small to show it beside the call', () => {
    const event = approval('a') as Extract<ReturnType<typeof approval>, { kind: 'approval' }>;
    const kept = { rules: ['s/t', 's/*'], file: '~/settings.json' };
    const long = { ...event.approval, arguments: { a: 1, b: 2, c: 3, d: 4, e: 5 }, kept };
    const small = after([STARTED, { kind: 'approval', approval: long }], {
      ...emptyScreen(),
      columns: 30,
      rows: 10,
    });
    const read = press(small, ' '.repeat(9)).screen;
    expect(press(read, 's').effects).toMatchObject([{ answer: { rule: 's/t' } }]);
    const other = press(read, 'r').screen;
    expect(press(other, 's').effects).toEqual([]);
    expect(press(other, `${' '.repeat(9)}s`).effects).toMatchObject([{ answer: { rule: 's/*' } }]);
  });

  it('do nothing for an answer that is not offered', () => {
    expect(press(asked, 'a').effects).toEqual([]);
  });

  it('do not send arguments that are not an object', () => {
    const { screen, effects } = press(asked, 'e oops\r');
    expect(effects).toEqual([]);
    expect(screen.questions[0]).toMatchObject({
      typing: { what: 'arguments', problem: 'This is not JSON' },
    });
  });

  it('end the turn with Escape', () => {
    expect(press(asked, ESCAPE).effects).toEqual([
      { kind: 'approval', id: 'a', answer: { kind: 'deny', reason: '' } },
      { kind: 'cancel' },
    ]);
  });

  it('go into the prompt while the user types there without a pause', () => {
    const typing = { ...press(emptyScreen(), 'hello').screen, questions: asked.questions };
    const hurried = press(typing, 'y', 100);
    expect([hurried.effects, hurried.screen.composer.editor.text]).toEqual([[], 'helloy']);
    expect(press(typing, 'y', 600).effects).toHaveLength(1);
  });

  it('do not answer if they are a paste', () => {
    expect(press(asked, '\u001B[200~y\u001B[201~').effects).toEqual([]);
  });
});

describe('keys in a form of a server', () => {
  const facts = { description: undefined, isRequired: true };
  const fields = [
    {
      ...facts,
      kind: 'text',
      name: 'mail',
      title: 'Mail',
      format: 'email',
      soundsSecret: false,
      minLength: undefined,
      maxLength: undefined,
      default: undefined,
    },
    {
      ...facts,
      kind: 'number',
      name: 'count',
      title: 'Count',
      isInteger: true,
      minimum: 1,
      maximum: undefined,
      default: 3,
    },
    {
      ...facts,
      kind: 'choices',
      name: 'tags',
      title: 'Tags',
      options: [
        { value: 'x', title: 'X' },
        { value: 'y', title: 'Y' },
      ],
      minItems: undefined,
      maxItems: undefined,
      default: undefined,
    },
    { ...facts, kind: 'boolean', name: 'sure', title: 'Sure', default: false },
  ] satisfies FormField[];
  const form: AskedForm = { kind: 'form', message: 'm', fields, soundsSecret: false };
  const request = { server: 's', question: form, signal: new AbortController().signal };
  const screen: Screen = {
    ...emptyScreen(),
    questions: [
      {
        kind: 'question',
        id: 'q',
        request,
        answering: { kind: 'form', form, state: newForm(form) },
      },
    ],
  };
  const answered = (input: string): readonly Effect[] => press(screen, input).effects;

  it('fill in the form, field by field', () => {
    expect(answered('ada@x.org\r\r \u001B[B \ry\r\r')).toEqual([
      {
        kind: 'question',
        id: 'q',
        answer: {
          kind: 'accept',
          content: { mail: 'ada@x.org', count: 3, tags: ['x', 'y'], sure: true },
        },
      },
    ]);
  });

  it('stay at a field with an invalid value, and show why', () => {
    expect(press(screen, 'nobody\r').screen.questions[0]).toMatchObject({
      answering: { state: { field: 0, problem: { kind: 'wrong-format', format: 'email' } } },
    });
    expect(press(screen, '\r').screen.questions[0]).toMatchObject({
      answering: { state: { field: 0, problem: { kind: 'missing' } } },
    });
  });

  it('decline with Enter alone if the form asks for a password, and send once Send is selected', () => {
    const secret: AskedForm = { ...form, fields: form.fields.slice(0, 1), soundsSecret: true };
    const asking: Screen = {
      ...screen,
      questions: screen.questions.map((one) => ({
        ...one,
        answering: { kind: 'form', form: secret, state: newForm(secret) },
      })) as Screen['questions'],
    };
    expect(press(asking, 'ada@x.org\r\r').effects).toMatchObject([{ answer: { kind: 'decline' } }]);
    expect(press(asking, 'ada@x.org\r\u001B[A\r').effects).toMatchObject([
      { answer: { kind: 'accept', content: { mail: 'ada@x.org' } } },
    ]);
  });

  it('decline at the end, and cancel with Escape', () => {
    const through = 'ada@x.org\r\r \r\r';
    expect(answered(`${through}\u001B[C\r`)).toMatchObject([{ answer: { kind: 'decline' } }]);
    expect(answered(ESCAPE)).toMatchObject([{ answer: { kind: 'cancel' } }]);
  });
});

describe('keys in the server panel', () => {
  const row = { state: 'ready', tools: 1, source: 'user' } as const;
  const screen: Screen = {
    ...emptyScreen(),
    servers: [
      { ...row, name: 'one', actions: ['reconnect', 'disable'] },
      { ...row, name: 'two', actions: ['login'] },
    ],
    panel: { kind: 'mcp', selected: 0 },
  };

  it.each([
    ['r', 'one', 'reconnect'],
    ['d', 'one', 'disable'],
    ['\u001B[Bl', 'two', 'login'],
  ])('act by %j', (input, server, action) => {
    expect(press(screen, input).effects).toEqual([{ kind: 'server', server, action }]);
  });

  it('open the details of a server with Enter', () => {
    const { effects } = press(screen, '\u001B[A\r');
    expect(effects).toEqual([{ kind: 'choose', line: '/mcp two' }]);
  });

  it('do nothing for an action that the selected server does not offer', () => {
    expect(press(screen, 'lo').effects).toEqual([]);
  });

  it('close it with Escape, and do not affect the turn', () => {
    const { screen: closed, effects } = press(
      { ...screen, ...after([STARTED]), panel: { kind: 'mcp', selected: 0 } },
      ESCAPE,
    );
    expect([closed.panel, effects]).toEqual([undefined, []]);
  });
});
