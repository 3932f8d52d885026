// The beginning of every request of a conversation, definitions and instructions, stays byte-identical when servers change:
// a provider caches a request only up to the first difference.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { never, Scope, systemClock } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import { ToolUsage } from '@plugboard/host/adapters';
import { scriptedServer, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelRequest, ToolAnswer } from '../../src/conversation/index.ts';
import { Conversation, Spending } from '../../src/loop/index.ts';
import { systemPrompt } from '../../src/prompt/index.ts';
import { withOwnTools } from '../../src/own-tools/index.ts';
import { delegateTool } from '../../src/subagent/index.ts';
import { HostToolbox } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { call, calls, says, scriptedModel, user } from '../scripted-model.ts';

const TURNS = 50;
const RESTARTS = new Set([8, 24]);
const SWAP = 12;
const ERAS = ['legacy', 'modern'] as const;
const things = Array.from({ length: 60 }, (_, index) => ({
  name: `thing_${index}`,
  description: `Does thing number ${index}. ${'Some more words. '.repeat(10)}`,
}));

interface World {
  readonly host: Host;
  /** Changes the tools and the instructions of the servers. */
  readonly swap: () => Promise<void>;
}

async function world(
  scope: Scope,
  era: (typeof ERAS)[number],
  size: 'few' | 'many',
): Promise<World> {
  const folder = scope.use(await tempFolder());
  const at = join(folder.path, 'swapped');
  const common = { eras: [era], capabilities: { tools: { listChanged: true } } };
  const changing = scriptedServer({
    ...common,
    builtIns: ['echo'],
    tools: [{ name: 'look', description: 'Looks' }, ...(size === 'many' ? things : [])],
    instructions: 'Echo first.',
    ...(size === 'many' ? { growOn: { tool: 'echo' } } : {}),
    swap: {
      at,
      tools: [{ name: 'look', description: 'Looks otherwise, and says more about it' }],
      removed: ['thing_7'],
      instructions: 'Something else.',
      announcedBy: 'echo',
    },
  });
  const frail = scriptedServer({ ...common, builtIns: ['echo', 'exit'], instructions: 'Frail.' });
  const host = await givenHost(scope, { changing, frail }, { pins: 'off' });
  return { host, swap: () => writeFile(at, '') };
}

const prefixOf = ({ system, tools }: ModelRequest): string => JSON.stringify({ system, tools });

describe.each(ERAS)('the beginning of the requests of a conversation with %s servers', (era) => {
  verifies('CTX-01', 'CTX-03');

  it.each(['few', 'many'] as const)(
    'stays the same over fifty turns in which servers change, restart and are used: %s tools',
    async (size) => {
      await using scope = new Scope();
      const { host, swap } = await world(scope, era, size);
      const state = scope.use(await tempFolder()).path;
      const usage = await ToolUsage.open({ state });
      const toolbox = scope.use(
        new HostToolbox({
          ...{ host, clock: systemClock, contextTokens: 200_000, usage },
          ...{ firstWaitMs: 60_000, firstWaitFor: 'all' },
        }),
      );
      let turn = 0;
      const answers: ToolAnswer[] = [];
      const spending = new Spending();
      const model = scriptedModel(({ messages }) => {
        const last = messages.at(-1);
        if (last?.kind === 'tool') {
          answers.push(...last.answers);
          return says('Done.');
        }
        const made = [call(`e${turn}`, 'mcp__changing__echo', { message: `turn ${turn}` })];
        if (size === 'many') {
          made.push(call(`s${turn}`, 'search_tools', { queries: [`thing number ${turn}`] }));
        }
        if (RESTARTS.has(turn)) made.push(call(`x${turn}`, 'mcp__frail__exit'));
        if (RESTARTS.has(turn - 1))
          made.push(call(`f${turn}`, 'mcp__frail__echo', { message: 'hi' }));
        return calls(...made);
      });
      const system = (): string =>
        systemPrompt({ folder: '/home/me', platform: 'linux', ...toolbox.promptFacts() });
      const shared = { clock: systemClock, system, spending };
      const delegate = delegateTool({ toolbox, model: () => model, ...shared });
      const conversation = new Conversation({
        ...{ model, ...shared },
        toolbox: withOwnTools(toolbox, [delegate]),
        firstTools: (signal) => toolbox.firstTools(signal),
      });
      for (; turn < TURNS; turn += 1) {
        if (turn === SWAP) await swap();
        for await (const event of conversation.send(user(`turn ${turn}`), never)) {
          if (event.kind === 'turn-ended') expect(event.end).toEqual({ kind: 'done' });
        }
      }
      expect(model.requests).toHaveLength(2 * TURNS);
      expect(new Set(model.requests.map(prefixOf)).size).toBe(1);
      const [first] = model.requests;
      expect(first?.tools.map(({ name }) => name)).toContain(
        size === 'many' ? 'search_tools' : 'mcp__changing__look',
      );
      expect(first?.system).toContain('Echo first.');
      // The servers were restarted, and their current tools can be found.
      const frail = answers.filter(({ id }) => id.startsWith('f'));
      expect(frail.map(({ isError }) => isError)).toEqual([false, false]);
      if (size === 'many') {
        const found = await toolbox.run(
          call('last', 'search_tools', { queries: ['looks otherwise'] }),
          { signal: never, asker: 'agent', onProgress: () => {} },
        );
        expect(JSON.stringify(found.parts)).toContain('Looks otherwise');
        // Tools that were used are in the requests of the next conversation.
        const sent = (): readonly string[] => toolbox.offer().tools.map(({ name }) => name);
        expect(sent()).not.toContain('mcp__changing__echo');
        conversation.clear();
        expect(sent()).toContain('mcp__changing__echo');
        expect(toolbox.planned.servers).toMatchObject([
          { server: 'changing', mode: 'search', reason: 'cheapest', sent: 1 },
          { server: 'frail', mode: 'direct', reason: 'used-often', sent: 2 },
        ]);
        await usage.settled();
      }
    },
  );
});
