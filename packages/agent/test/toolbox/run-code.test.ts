// Scripts of a model in a conversation: the names and events of their calls.

import { never, Scope } from '@plugboard/base';
import type { ApprovalRequest, Approver } from '@plugboard/host';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, RunSettings } from '../../src/conversation/index.ts';
import { narrowed } from '../../src/subagent/narrowed-toolbox.ts';
import { HostToolbox } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { call } from '../scripted-model.ts';

const s = scriptedServer({ builtIns: ['echo', 'error', 'cwd'] });

interface ScriptingToolbox {
  readonly toolbox: HostToolbox;
  readonly events: AgentEvent[];
  readonly asked: ApprovalRequest[];
  readonly settings: RunSettings;
}

async function scripting(scope: Scope, asker = 'agent'): Promise<ScriptingToolbox> {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = (request) => {
    asked.push(request);
    return { kind: 'allow' };
  };
  const host = await givenHost(scope, { s }, { approve });
  await host.tools();
  const sizes = { contextTokens: 100_000, toolBudget: { tokens: 0 }, firstWaitMs: 10_000 };
  const toolbox = scope.use(new HostToolbox({ host, code: true, ...sizes }));
  await toolbox.firstTools(never);
  const events: AgentEvent[] = [];
  const onEvent = (event: AgentEvent): void => void events.push(event);
  return { toolbox, events, asked, settings: { signal: never, asker, onProgress() {}, onEvent } };
}

const code = `
  await tools.s.error({}).catch(() => {});
  return await tools.s.echo({ message: 'hi' })`;

describe('a script in a conversation', () => {
  verifies('CTX-02');

  it('reports its calls as they happen, and asks for approval under its name', async () => {
    await using scope = new Scope();
    const { toolbox, events, asked, settings } = await scripting(scope);
    const answer = await toolbox.run(call('7', 'run_code', { code, name: 'greet' }), settings);
    expect(answer).toMatchObject({ id: '7', isError: false, parts: [{ kind: 'text' }] });
    expect(events).toMatchObject([
      {
        agent: 'script greet',
        kind: 'call-started',
        id: '7/1',
        server: 's',
        tool: 'mcp__s__error',
      },
      { kind: 'call-ended', id: '7/1', answer: { isError: true } },
      {
        agent: 'script greet',
        kind: 'call-started',
        id: '7/2',
        tool: 'mcp__s__echo',
        arguments: { message: 'hi' },
      },
      { kind: 'call-ended', id: '7/2', answer: { isError: false, parts: [{ text: 'hi' }] } },
    ]);
    expect(asked.map(({ asker, callId }) => [asker, callId])).toEqual([
      ['script greet', '7/1'],
      ['script greet', '7/2'],
    ]);
  });

  it('of a sub-agent requires approval under both names', async () => {
    await using scope = new Scope();
    const { toolbox, asked, settings } = await scripting(scope, 'scout');
    await toolbox.run(call('1', 'run_code', { code, name: 'greet' }), settings);
    expect(asked.map(({ asker }) => asker)).toEqual(['scout, script greet', 'scout, script greet']);
  });

  it('of a sub-agent has only the tools that the sub-agent has', async () => {
    await using scope = new Scope();
    const { toolbox, asked, settings } = await scripting(scope, 'scout');
    const some = narrowed(toolbox, (tool) => tool === 'mcp__s__echo');
    expect(some.offer().tools.map(({ name }) => name)).toEqual(['call_tool', 'run_code']);
    const reaching = `try { await tools.s.cwd({}) } catch ({ message }) { return message }`;
    const answer = await some.run(call('1', 'run_code', { code: reaching }), settings);
    expect(answer.parts).toMatchObject([
      {
        text: expect.stringContaining(
          'there is no tool \\"cwd\\"; the closest are: echo',
        ) as string,
      },
    ]);
    const fine = `return await tools.s.echo({ message: 'hi' })`;
    const said = await some.run(call('2', 'run_code', { code: fine }), settings);
    expect(said.parts).toEqual([{ kind: 'text', text: '"hi"' }]);
    expect(asked.map(({ tool }) => tool.tool)).toEqual(['echo']);
  });
});
