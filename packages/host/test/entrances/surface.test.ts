// The public API: what a host offers, and how little code it takes to use one.

import { Scope } from '@plugboard/base';
import { isAlive, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toText } from '../../src/index.ts';
import { givenHost } from '../host/given-host.ts';

const EXAMPLE = new URL('../../../../examples/embed/run.ts', import.meta.url);
const library = {
  resources: [{ uri: 'notes://1', name: 'one', text: 'a note' }],
  prompts: [{ name: 'greet' }],
};

describe('the public API of a host', () => {
  verifies('API-01');

  it('gives an agent servers, tools, calls, resources, prompts and events, and closes with its block', async () => {
    const events = new Set<string>();
    let pid = 0;
    {
      await using scope = new Scope();
      const host = await givenHost(scope, { s: scriptedServer({ library }) });
      using _listening = host.on(({ kind }) => events.add(kind));
      expect(host.servers).toMatchObject([{ name: 's', state: { kind: 'idle' } }]);
      const { tools } = await host.tools();
      expect(tools.map(({ name }) => name)).toContain('mcp__s__echo');
      const said = await host.call('mcp__s__echo', { message: 'hi' });
      expect(said.kind === 'result' && toText(said.parts)).toBe('hi');
      expect((await host.resources.list()).resources).toMatchObject([{ uri: 'notes://1' }]);
      expect((await host.prompts.list()).prompts).toMatchObject([{ prompt: 'greet' }]);
      const pids = await host.call('mcp__s__pids', {});
      const part = pids.kind === 'result' ? pids.parts[0] : undefined;
      if (part?.kind === 'structured') ({ pid } = part.value as { pid: number });
      expect(isAlive(pid)).toBe(true);
    }
    await waitUntil(() => !isAlive(pid), { describe: 'the server to end' });
    expect([...events].toSorted()).toEqual(['state', 'tools']);
  });

  it('connects to an agent in ten lines, which are run as an example', () => {
    const text = readFileSync(EXAMPLE, 'utf8');
    const [, lines = ''] = /^\/\/ <ten-lines>\n([^]*?)^\/\/ <\/ten-lines>$/m.exec(text) ?? [];
    const code = lines.split('\n').filter((line) => line.trim() !== '');
    expect(code.length).toBeLessThanOrEqual(10);
    for (const word of ['await using', 'createHost', 'host.tools', 'host.call']) {
      expect(lines).toContain(word);
    }
  });
});
