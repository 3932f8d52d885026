// The tools of a host for a provider, where there are too many to send.

import { Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { anthropicTools, openAiTools, planTools, toolTokens } from '../../src/adapters.ts';
import type { Host } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

const note = {
  name: 'addNote',
  description: 'Writes a note into a notebook',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', minLength: 2 } },
    required: ['text'],
  },
  result: { content: [{ type: 'text', text: 'noted' }] },
};
const others = Array.from({ length: 40 }, (_, at) => ({ name: `other_${at}` }));
const SURFACE = ['search_tools', 'describe_tools', 'call_tool'];

function hostOf(scope: Scope): Promise<Host> {
  return givenHost(scope, {
    many: scriptedServer({ builtIns: [], tools: [note, ...others] }),
    few: { ...scriptedServer({ builtIns: ['echo'] }), alwaysLoad: true },
  });
}

const use = (name: string, input: unknown = {}) =>
  ({ type: 'tool_use', id: 'toolu_1', name, input }) as const;

describe('the tools of a host within a budget', () => {
  verifies('CTX-01');

  it('are all sent where they fit', async () => {
    await using scope = new Scope();
    const { tools } = await anthropicTools(await hostOf(scope), { tools: 'plan' });
    expect(tools).toHaveLength(42);
  });

  it('are searched for where they do not, but for servers that are always loaded', async () => {
    await using scope = new Scope();
    const { tools, run } = await anthropicTools(await hostOf(scope), {
      tools: 'plan',
      budget: 500,
    });
    expect(tools.map(({ name }) => name)).toEqual(['mcp__few__echo', ...SURFACE]);
    const found = await run(use('search_tools', { queries: ['write a note'] }));
    expect(JSON.stringify(found.content)).toContain('many.addNote(text: string)');
    const called = use('call_tool', { name: 'many.addNote', arguments: { text: 'hi' } });
    expect(await run(called)).toMatchObject({ content: [{ type: 'text', text: 'noted' }] });
    expect(await run(use('mcp__few__echo', { message: 'hi' }))).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
  });

  it('are called with help for wrong arguments and names', async () => {
    await using scope = new Scope();
    const { run } = await openAiTools(await hostOf(scope), { tools: 'plan', budget: 500 });
    const call = (given: object) =>
      run({
        ...{ type: 'function_call', call_id: '1', name: 'call_tool' },
        arguments: JSON.stringify(given),
      });
    const wrong = { name: 'many.addNote', arguments: { text: 1 } };
    expect(JSON.stringify(await call(wrong))).toContain('many.addNote(text: string)');
    expect(JSON.stringify(await call(wrong))).toContain('minLength');
    const unknown = await call({ name: 'many.add_notes', arguments: {} });
    expect(JSON.stringify(unknown)).toContain('The closest are:');
  });
});

describe('a plan for tools', () => {
  const tool = (server: string, name: string) => ({
    ...{ name: `mcp__${server}__${name}`, server, tool: name, description: 'Does it' },
    inputSchema: {},
  });
  const tools = [tool('b', 'x'), tool('a', 'y'), tool('b', 'z')];
  const each = toolTokens(tool('a', 'y'));

  it('says what each server costs', () => {
    expect(planTools(tools, { budget: 3 * each }).servers).toEqual([
      { server: 'a', mode: 'direct', tools: 1, tokens: each },
      { server: 'b', mode: 'direct', tools: 2, tokens: 2 * each },
    ]);
    const { servers, direct, searched } = planTools(tools, {
      budget: 3 * each - 1,
      always: new Set(['a']),
    });
    expect(servers.map(({ mode }) => mode)).toEqual(['direct', 'search']);
    expect([direct.length, searched.length]).toEqual([1, 2]);
  });
});
