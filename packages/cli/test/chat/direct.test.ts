import { Scope } from '@plugboard/base';
import { scriptedServer } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callText } from '../../src/chat/direct.ts';
import { hostWith } from './host-with.ts';

const BOTH = {
  name: 'both',
  result: { content: [{ type: 'text', text: 'three' }], structuredContent: { count: 3 } },
};

async function called(tool: string, ...given: readonly string[]) {
  await using scope = new Scope();
  const host = await hostWith(scope, { s: scriptedServer({ builtIns: ['add'], tools: [BOTH] }) });
  return await callText(host, { server: 's', tool, given }, new AbortController().signal);
}

describe('a tool that the user calls by hand', () => {
  it('shows its result as text, without repeating it as JSON', async () => {
    expect(await called('both')).toEqual({ kind: 'shown', text: 'three' });
  });

  it('shows JSON if the result has no text', async () => {
    expect(await called('add', 'a=1', 'b=2')).toMatchObject({
      kind: 'shown',
      text: expect.stringContaining('"sum": 3') as string,
    });
  });

  it('reports invalid arguments', async () => {
    expect(await called('add', 'nonsense')).toMatchObject({
      kind: 'problem',
      message: '"nonsense" is not an argument of the form key=value',
    });
  });
});
