// Sub-agents that use the same tools and connections.

import { never, Scope, systemClock } from '@plugboard/base';
import type { ApprovalRequest, Approver } from '@plugboard/host';
import { ManualClock, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, Toolbox } from '../../src/conversation/index.ts';
import { Conversation, Spending } from '../../src/loop/index.ts';
import { withOwnTools } from '../../src/own-tools/index.ts';
import { delegateTool, type DelegateToolOptions } from '../../src/subagent/index.ts';
import { HostToolbox } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { memoryToolbox, untilAborted } from '../memory-toolbox.ts';
import { call, calls, says, scriptedModel, type ScriptedModel, user } from '../scripted-model.ts';
import { problemsOf } from '../valid-conversation.ts';

interface Parts {
  readonly conversation: Conversation;
  readonly spending: Spending;
}

function conversationOver(
  toolbox: Toolbox,
  model: ScriptedModel,
  options: Partial<DelegateToolOptions> = {},
): Parts {
  const spending = new Spending();
  const clock = new ManualClock();
  const shared = { clock, system: () => 'Be short.', spending };
  const delegate = delegateTool({ toolbox, model: () => model, ...shared, ...options });
  const whole = withOwnTools(toolbox, [delegate]);
  return { spending, conversation: new Conversation({ toolbox: whole, model, ...shared }) };
}

async function sent(
  conversation: Conversation,
  signal: AbortSignal = never,
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of conversation.send(user('go'), signal)) events.push(event);
  return events;
}

/** The model of all agents here: the main one by its script, the others by theirs. */
function modelFor(scripts: Readonly<Record<string, readonly ReturnType<typeof says>[]>>) {
  const at = new Map<string, number>();
  return scriptedModel(({ system }) => {
    const who = /You are "([^"]+)"/.exec(system)?.[1] ?? 'main';
    const index = at.get(who) ?? 0;
    at.set(who, index + 1);
    return scripts[who]?.[index] ?? says(`${who} has nothing more`);
  });
}

describe('a sub-agent', () => {
  it('uses the same tools over the same connections, and asks in its own name', async () => {
    verifies('AGT-04');
    await using scope = new Scope();
    const asked: ApprovalRequest[] = [];
    const approve: Approver = (request) => {
      asked.push(request);
      return { kind: 'allow' };
    };
    const server = scriptedServer({ builtIns: ['echo', 'pids'] });
    const host = await givenHost(scope, { s: server }, { approve });
    await host.tools();
    const inner = { host, clock: systemClock, contextTokens: 100_000 };
    const toolbox = scope.use(new HostToolbox(inner));
    await toolbox.firstTools(never);
    const connects: string[] = [];
    scope.use(
      host.on((event) => {
        if (event.kind === 'state') connects.push(event.server.state.kind);
      }),
    );
    const echo = call('e', 'mcp__s__echo', { message: 'from the scout' });
    const model = modelFor({
      main: [
        calls(call('d', 'delegate', { task: 'Look around.', name: 'scout' })),
        says('Thanks.'),
      ],
      scout: [calls(echo), says('It says: from the scout')],
    });
    const { conversation, spending } = conversationOver(toolbox, model);
    const events = await sent(conversation);
    expect(connects).toEqual([]);
    expect(asked.map(({ asker, callId }) => [asker, callId])).toEqual([['scout', 'e']]);
    expect(conversation.messages).toMatchObject([
      user('go'),
      { kind: 'assistant' },
      { answers: [{ id: 'd', isError: false, parts: [{ text: 'It says: from the scout' }] }] },
      { kind: 'assistant', parts: [{ text: 'Thanks.' }] },
    ]);
    const scouts = events.filter(({ agent }) => agent === 'scout').map(({ kind }) => kind);
    expect(scouts[0]).toBe('turn-started');
    expect(scouts.at(-1)).toBe('turn-ended');
    expect(scouts).toContain('call-ended');
    expect(spending.totals.requests).toBe(4);
    // It was offered all tools except `delegate`.
    const names = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(names[0]).toEqual(['mcp__s__echo', 'mcp__s__pids', 'delegate']);
    expect(names[1]).toEqual(['mcp__s__echo', 'mcp__s__pids']);
  });

  it('has only the tools that it was given', async () => {
    verifies('AGT-04');
    const made: string[] = [];
    const tool = { run: ({ tool: name }: { readonly tool: string }) => `${made.push(name)}` };
    const toolbox = memoryToolbox({ read_a: tool, read_b: tool, write: tool });
    const model = modelFor({
      main: [calls(call('d', 'delegate', { task: 't', name: 'x', tools: ['read_*'] }))],
      x: [calls(call('1', 'write'), call('2', 'read_a')), says('done')],
    });
    const { conversation } = conversationOver(toolbox, model);
    await sent(conversation);
    expect(made).toEqual(['read_a']);
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['read_a', 'read_b']);
  });

  it.each(['you', 'User', 'agent'])(
    'cannot take the name of the user or of another agent: %s',
    async (name) => {
      const model = modelFor({ main: [calls(call('d', 'delegate', { task: 't', name }))] });
      const { conversation } = conversationOver(memoryToolbox({}), model);
      const agents = (await sent(conversation)).map(({ agent }) => agent);
      expect(new Set(agents)).toEqual(new Set(['agent', `${name} 2`]));
    },
  );

  it('cannot delegate', async () => {
    const model = modelFor({
      main: [calls(call('d', 'delegate', { task: 't', name: 'x' }))],
      x: [calls(call('1', 'delegate', { task: 'again' })), says('I could not')],
    });
    const { conversation } = conversationOver(memoryToolbox({}), model);
    const events = await sent(conversation);
    expect(new Set(events.map(({ agent }) => agent))).toEqual(new Set(['agent', 'x']));
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ agent: 'x', kind: 'call-ended', id: '1' },
        answer: expect.objectContaining({ isError: true }),
      }),
    );
  });

  it('runs in parallel with others up to the limit, each under its own name', async () => {
    let most = 0;
    const toolbox = memoryToolbox({
      work: {
        run: async () => {
          most = Math.max(most, toolbox.running);
          await Promise.resolve();
          return 'worked';
        },
      },
    });
    const tasks = ['1', '2', '3'].map((id) => call(id, 'delegate', { task: id, name: 'agent' }));
    const work = [calls(call('w', 'work')), says('done')];
    const model = modelFor({
      main: [calls(...tasks), says('all done')],
      'agent 2': work,
      'agent 3': work,
      'agent 4': work,
    });
    const { conversation } = conversationOver(toolbox, model, { parallel: 2 });
    const events = await sent(conversation);
    expect(most).toBeLessThanOrEqual(2);
    expect(new Set(events.map(({ agent }) => agent))).toEqual(
      new Set(['agent', 'agent 2', 'agent 3', 'agent 4']),
    );
    expect(problemsOf(conversation.messages)).toEqual([]);
    expect(conversation.messages).toHaveLength(4);
  });

  it('ends with the turn that started it', async () => {
    const giveUp = new AbortController();
    const toolbox = memoryToolbox({
      slow: {
        run: (_, settings) => {
          giveUp.abort();
          return untilAborted(settings);
        },
      },
    });
    const model = modelFor({
      main: [calls(call('d', 'delegate', { task: 't', name: 'x' }))],
      x: [calls(call('1', 'slow'))],
    });
    const { conversation } = conversationOver(toolbox, model);
    const events = await sent(conversation, giveUp.signal);
    expect(toolbox.running).toBe(0);
    expect(events.filter(({ kind }) => kind === 'turn-ended')).toEqual([
      { agent: 'x', kind: 'turn-ended', end: { kind: 'cancelled' } },
      { agent: 'agent', kind: 'turn-ended', end: { kind: 'cancelled' } },
    ]);
    expect(problemsOf(conversation.messages)).toEqual([]);
  });

  it('reports that it did not finish, or that the task is invalid', async () => {
    const failure = { kind: 'overloaded', message: 'busy' } as const;
    const model = modelFor({
      main: [
        calls(call('1', 'delegate', { task: 't', name: 'x' }), call('2', 'delegate', { task: 7 })),
      ],
      x: [{ kind: 'fails', failure }],
    });
    const { conversation } = conversationOver(memoryToolbox({}), model);
    await sent(conversation);
    expect(conversation.messages[2]).toMatchObject({
      answers: [
        { id: '1', isError: true, parts: [{ text: expect.stringContaining('busy') }] },
        { id: '2', isError: true, parts: [{ text: expect.stringContaining('delegate takes') }] },
      ],
    });
  });
});
