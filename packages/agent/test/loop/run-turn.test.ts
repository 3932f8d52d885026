// Turns of a model that follows a script, over tools in memory.

import { never } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, Message } from '../../src/conversation/index.ts';
import { runTurn, Spending, type TurnOptions } from '../../src/loop/index.ts';
import { memoryToolbox, untilAborted } from '../memory-toolbox.ts';
import { assistant, call, calls, says, scriptedModel, user, USAGE } from '../scripted-model.ts';
import { problemsOf } from '../valid-conversation.ts';

type GivenOptions = Pick<TurnOptions, 'model'> & Partial<TurnOptions>;

function turn(given: GivenOptions): AsyncGenerator<AgentEvent, void> {
  return runTurn({
    agent: 'agent',
    toolbox: memoryToolbox({}),
    clock: new ManualClock(),
    messages: [],
    message: user('hi'),
    system: () => 'Be short.',
    spending: new Spending(),
    signal: never,
    ...given,
  });
}

async function all(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const heard: AgentEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

function messagesIn(events: readonly AgentEvent[]): readonly Message[] {
  return events.flatMap((event) => (event.kind === 'message' ? event.message : []));
}

function endOf(events: readonly AgentEvent[]): unknown {
  const ends = events.filter(({ kind }) => kind === 'turn-ended');
  expect(ends).toHaveLength(1);
  const last = events.at(-1);
  return last?.kind === 'turn-ended' ? last.end : last;
}

/** Resolves when `arrive` was called. */
function arrival(): { readonly arrive: () => void; readonly arrived: Promise<void> } {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { arrive: () => arrive(), arrived };
}

describe('a turn', () => {
  it('emits events in the order in which things happen', async () => {
    verifies('AGT-03');
    const model = scriptedModel([calls(call('1', 'read', { path: 'a' })), says('It says x.')]);
    const toolbox = memoryToolbox({ read: { isReadOnly: true, run: () => 'x' } });
    const answer = {
      id: '1',
      tool: 'read',
      isError: false,
      parts: [{ kind: 'text', text: 'x' }],
    } as const;
    const agent = 'agent';
    const asked = assistant(call('1', 'read', { path: 'a' }));
    expect(await all(turn({ model, toolbox }))).toEqual([
      { agent, kind: 'turn-started', message: user('hi') },
      { agent, kind: 'message', message: user('hi') },
      { agent, kind: 'servers', servers: [] },
      { agent, kind: 'call-announced', id: '1', tool: 'read' },
      { agent, kind: 'usage', usage: USAGE, cost: 0.11 },
      { agent, kind: 'message', message: asked },
      {
        ...{ agent, kind: 'call-started', id: '1', tool: 'read', server: 'memory', title: 'read' },
        arguments: { path: 'a' },
      },
      { agent, kind: 'call-ended', id: '1', answer, ms: 0 },
      { agent, kind: 'message', message: { kind: 'tool', answers: [answer] } },
      { agent, kind: 'text', text: 'It says x.' },
      { agent, kind: 'usage', usage: USAGE, cost: 0.11 },
      { agent, kind: 'message', message: assistant({ kind: 'text', text: 'It says x.' }) },
      { agent, kind: 'turn-ended', end: { kind: 'done' } },
    ]);
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  });

  it('runs read-only calls in parallel, and all others one by one in their order', async () => {
    verifies('AGT-03');
    const { arrive, arrived } = arrival();
    const log: string[] = [];
    const toolbox = memoryToolbox({
      // Each of the two waits for the other, so one by one would never end.
      first: { isReadOnly: true, run: () => arrived.then(() => 'first') },
      second: {
        isReadOnly: true,
        run: () => {
          arrive();
          return 'second';
        },
      },
      write: {
        run: async ({ id }) => {
          log.push(`begin ${id}`);
          await Promise.resolve();
          log.push(`end ${id}`);
          return id;
        },
      },
    });
    const model = scriptedModel([
      calls(call('1', 'first'), call('2', 'second'), call('3', 'write'), call('4', 'write')),
      says('done'),
    ]);
    const events = await all(turn({ model, toolbox }));
    expect(log).toEqual(['begin 3', 'end 3', 'begin 4', 'end 4']);
    expect(messagesIn(events)[2]).toMatchObject({
      kind: 'tool',
      answers: [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }],
    });
  });

  it('limits the number of parallel calls', async () => {
    let running = 0;
    let most = 0;
    const run = async (): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return 'x';
    };
    const toolbox = memoryToolbox({ read: { isReadOnly: true, run } });
    const many = Array.from({ length: 9 }, (_, index) => call(`${index}`, 'read'));
    const model = scriptedModel([calls(...many), says('done')]);
    await all(turn({ model, toolbox, limits: { parallelCalls: 2 } }));
    expect(most).toBe(2);
  });

  it('offers tools that arrive while it runs in its next request, and reports the state of servers', async () => {
    verifies('AGT-02');
    const toolbox = memoryToolbox({
      wait: {
        run: () => {
          toolbox.tools.set('late', { run: () => 'late' });
          toolbox.servers.push({ server: 'late', state: 'ready', tools: 1 });
          return 'waited';
        },
      },
    });
    const model = scriptedModel([calls(call('1', 'wait')), calls(call('2', 'late')), says('done')]);
    const system: TurnOptions['system'] = ({ servers }) => `${servers.length} servers`;
    const events = await all(turn({ model, toolbox, system }));
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['wait'],
      ['wait', 'late'],
      ['wait', 'late'],
    ]);
    expect(model.requests.map((request) => request.system)).toEqual([
      '0 servers',
      '1 servers',
      '1 servers',
    ]);
    expect(events.filter(({ kind }) => kind === 'servers')).toHaveLength(2);
    expect(endOf(events)).toEqual({ kind: 'done' });
  });

  it('answers calls of unknown tools and calls that fail, and continues', async () => {
    const toolbox = memoryToolbox({
      broken: {
        run: () => {
          throw new Error('boom');
        },
      },
    });
    const model = scriptedModel([calls(call('1', 'nope'), call('2', 'broken')), says('sorry')]);
    const events = await all(turn({ model, toolbox }));
    expect(messagesIn(events)[2]).toEqual({
      kind: 'tool',
      answers: [
        {
          ...{ id: '1', tool: 'nope', isError: true },
          parts: [{ kind: 'text', text: 'There is no tool nope.' }],
        },
        {
          ...{ id: '2', tool: 'broken', isError: true },
          parts: [{ kind: 'text', text: 'The call broke: boom' }],
        },
      ],
    });
    expect(endOf(events)).toEqual({ kind: 'done' });
  });

  it('answers a call with unreadable arguments, without making it', async () => {
    let made = 0;
    const toolbox = memoryToolbox({ a: { run: () => `${(made += 1)}` } });
    const broken = { ...call('1', 'a'), unreadable: 'it ends in the middle' };
    const model = scriptedModel([calls(broken), says('sorry')]);
    const messages = messagesIn(await all(turn({ model, toolbox })));
    expect(made).toBe(0);
    expect(messages[2]).toMatchObject({
      answers: [{ isError: true, parts: [{ text: expect.stringContaining('in the middle') }] }],
    });
  });

  it('compacts older messages when the context overflows, and repeats the request once', async () => {
    verifies('AGT-07');
    const failure = { kind: 'context-overflow', message: 'too long' } as const;
    const earlier = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? user(`question ${index} ${'x'.repeat(500)}`)
        : assistant({ kind: 'text', text: `answer ${index} ${'x'.repeat(500)}` }),
    );
    const overflow = { kind: 'fails', failure } as const;
    const facts = { contextTokens: 8000 };
    const model = scriptedModel([overflow, says('notes'), says('fine')], facts);
    const events = await all(turn({ model, messages: earlier }));
    expect(endOf(events)).toEqual({ kind: 'done' });
    const last = model.requests.at(-1)?.messages ?? [];
    expect(problemsOf(last)).toEqual([]);
    expect(last.length).toBeLessThan(earlier.length);
    expect(last.at(-1)).toEqual(user('hi'));
    expect(events.filter(({ kind }) => kind === 'compacted')).toHaveLength(1);

    const stubborn = scriptedModel([overflow, says('notes'), overflow], facts);
    const again = await all(turn({ model: stubborn, messages: earlier }));
    expect(endOf(again)).toEqual({ kind: 'failed', failure });
    expect(stubborn.requests).toHaveLength(3);
  });

  it('gives two calls with the same id different ids', async () => {
    const toolbox = memoryToolbox({ a: { run: () => 'x' } });
    const model = scriptedModel([calls(call('1', 'a'), call('1', 'a')), says('done')]);
    const messages = messagesIn(await all(turn({ model, toolbox })));
    expect(problemsOf(messages)).toEqual([]);
    expect(messages[2]).toMatchObject({ answers: [{ id: '1' }, { id: '1-2' }] });
  });

  it('stops making a call that keeps failing, however its arguments are ordered', async () => {
    let made = 0;
    const run = (): string => {
      made += 1;
      return 'error: no';
    };
    const toolbox = memoryToolbox({ a: { run } });
    const model = scriptedModel((_, index) =>
      index < 10
        ? calls(call(`${index}`, 'a', index % 2 === 0 ? { x: 1, y: 2 } : { y: 2, x: 1 }))
        : says('I give up.'),
    );
    const events = await all(turn({ model, toolbox, limits: { sameFailures: 3 } }));
    expect(made).toBe(3);
    expect(problemsOf(messagesIn(events))).toEqual([]);
    expect(endOf(events)).toEqual({ kind: 'done' });
  });
});

describe('the end of a turn', () => {
  it.each([
    ['a failure', { kind: 'bad-key', message: 'wrong key' } as const],
    ['another one', { kind: 'overloaded', message: 'busy', status: 529 } as const],
  ])('is an event: %s', async (_, failure) => {
    const model = scriptedModel([{ kind: 'fails', failure, after: 'I was about' }]);
    const events = await all(turn({ model }));
    expect(endOf(events)).toEqual({ kind: 'failed', failure });
    expect(messagesIn(events)).toEqual([
      user('hi'),
      assistant({ kind: 'text', text: 'I was about\n\n[This answer was broken off.]' }),
    ]);
  });

  it('is an event also when a model or a toolbox throws', async () => {
    const model = scriptedModel([{ kind: 'throws', message: 'bug' }]);
    expect(endOf(await all(turn({ model })))).toEqual({
      kind: 'failed',
      failure: { kind: 'broken-answer', message: 'bug' },
    });
    const toolbox = {
      ...memoryToolbox({}),
      offer: () => {
        throw new Error('no offer');
      },
    };
    expect(endOf(await all(turn({ model: scriptedModel([]), toolbox })))).toEqual({
      kind: 'failed',
      failure: { kind: 'other', message: 'no offer' },
    });
  });

  it('comes after the maximum number of steps', async () => {
    const toolbox = memoryToolbox({ a: { run: () => 'x' } });
    const model = scriptedModel((_, index) => calls(call(`${index}`, 'a', { index })));
    const events = await all(turn({ model, toolbox, limits: { steps: 4 } }));
    expect(endOf(events)).toEqual({ kind: 'too-many-steps', steps: 4 });
    expect(model.requests).toHaveLength(4);
    expect(problemsOf(messagesIn(events))).toEqual([]);
  });

  it.each([
    [{ dollars: 0.3 }, { spent: 0.33, budget: 0.3 }],
    [{ tokens: 250 }, { spent: 330, budget: 250 }],
  ])('comes when the budget %j is spent', async (budget, over) => {
    const toolbox = memoryToolbox({ a: { run: () => 'x' } });
    const model = scriptedModel((_, index) => calls(call(`${index}`, 'a', { index })));
    const spending = new Spending(budget);
    const events = await all(turn({ model, toolbox, spending }));
    expect(endOf(events)).toEqual({ kind: 'over-budget', ...over });
    expect(problemsOf(messagesIn(events))).toEqual([]);
  });

  it('reports that an answer was cut at its maximum length', async () => {
    const parts = [{ kind: 'text', text: 'and then' }] as const;
    const model = scriptedModel([{ kind: 'says', parts, reason: 'length' }]);
    const events = await all(turn({ model }));
    expect(endOf(events)).toMatchObject({ kind: 'failed', failure: { kind: 'other' } });
    expect(messagesIn(events)).toHaveLength(2);
  });
});

describe('a cancelled turn', () => {
  it('ends the stream of the model, even one that hangs', async () => {
    verifies('AGT-03');
    const giveUp = new AbortController();
    const model = scriptedModel([{ kind: 'hangs', after: 'Well, ', onHang: () => giveUp.abort() }]);
    const events = await all(turn({ model, signal: giveUp.signal }));
    expect(endOf(events)).toEqual({ kind: 'cancelled' });
    expect(messagesIn(events)).toEqual([
      user('hi'),
      assistant({ kind: 'text', text: 'Well, \n\n[The user stopped this answer.]' }),
    ]);
  });

  it('ends running calls, makes no more, and leaves each with an answer', async () => {
    verifies('AGT-03');
    const giveUp = new AbortController();
    const made: string[] = [];
    const toolbox = memoryToolbox({
      slow: {
        isReadOnly: true,
        run: ({ id }, settings) => {
          made.push(id);
          if (made.length === 2) giveUp.abort();
          return untilAborted(settings);
        },
      },
      write: { run: ({ id }) => `${made.push(id)}` },
    });
    const model = scriptedModel([calls(call('1', 'slow'), call('2', 'slow'), call('3', 'write'))]);
    const events = await all(turn({ model, toolbox, signal: giveUp.signal }));
    expect(endOf(events)).toEqual({ kind: 'cancelled' });
    expect(toolbox.running).toBe(0);
    expect(made).toEqual(['1', '2']);
    const messages = messagesIn(events);
    expect(problemsOf(messages)).toEqual([]);
    expect(messages[2]).toMatchObject({
      answers: [
        { id: '1', isError: true, parts: [{ text: expect.stringContaining('stopped') }] },
        { id: '2', isError: true },
        { id: '3', isError: true, parts: [{ text: expect.stringContaining('Not called') }] },
      ],
    });
  });

  it('does not wait forever for a call that ignores the cancellation', async () => {
    const giveUp = new AbortController();
    const clock = new ManualClock();
    const toolbox = memoryToolbox({
      deaf: {
        run: () => {
          giveUp.abort();
          return new Promise<never>(() => {});
        },
      },
    });
    const model = scriptedModel([calls(call('1', 'deaf'))]);
    const ended = all(turn({ model, toolbox, clock, signal: giveUp.signal }));
    await clock.advance(2000);
    const events = await ended;
    expect(endOf(events)).toEqual({ kind: 'cancelled' });
    expect(problemsOf(messagesIn(events))).toEqual([]);
  });

  it('makes no request when it is cancelled before it begins', async () => {
    const model = scriptedModel([]);
    const events = await all(turn({ model, signal: AbortSignal.abort() }));
    expect(endOf(events)).toEqual({ kind: 'cancelled' });
    expect(model.requests).toEqual([]);
  });

  it('leaves no call running when its reader stops', async () => {
    const toolbox = memoryToolbox({ slow: { run: (_, settings) => untilAborted(settings) } });
    const model = scriptedModel([calls(call('1', 'slow'))]);
    for await (const event of turn({ model, toolbox })) {
      if (event.kind === 'call-started') break;
    }
    expect(toolbox.running).toBe(0);
  });
});
