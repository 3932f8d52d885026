// The tools of a host for a provider, if there are too many to send.

import { Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { anthropicTools, openAiTools } from '../../src/adapters.ts';
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

  it('are all sent if that costs less than a search', async () => {
    await using scope = new Scope();
    const few = scriptedServer({ builtIns: [], tools: [note, ...others.slice(0, 5)] });
    const host = await givenHost(scope, { few });
    const { tools } = await anthropicTools(host, { tools: 'plan' });
    expect(tools).toHaveLength(6);
    const { tools: tight } = await anthropicTools(host, { tools: 'plan', budget: 100 });
    expect(tight.map(({ name }) => name)).toEqual(SURFACE);
  });

  it('are searched for if that costs less, except those of servers that are always loaded', async () => {
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

  it('get help for invalid arguments and unknown names', async () => {
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
