// Stories of the lethal trifecta: each with its own servers and a model that obeys the injected text.

import { Scope } from '@plugboard/base';
import { type TextTool, textToolServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type ApprovalRequest,
  createHost,
  type Host,
  type HostOptions,
} from '../../src/host/index.ts';
import { FLOW_STORIES, type FlowStory, type StoryCall } from './flow-stories.ts';

interface Stage {
  readonly host: Host;
  /** The calls with their arguments. */
  readonly called: StoryCall[];
  /** The requested approvals for a flow. */
  readonly asked: ApprovalRequest[];
}

/** The rules allow everything; only flows need approval. */
async function stage(
  scope: Scope,
  { answers, reads, attack, everyday }: FlowStory,
  options: HostOptions & { readonly answer: 'allow' | 'deny' },
): Promise<Stage> {
  const called: StoryCall[] = [];
  const tools = new Map<string, Record<string, TextTool>>();
  for (const [server, tool, given] of [...reads, attack, ...everyday]) {
    const ofServer = tools.get(server) ?? {};
    tools.set(server, ofServer);
    ofServer[tool] = {
      parameters: [...(ofServer[tool]?.parameters ?? []), ...Object.keys(given)],
      answer: (sent) => {
        called.push([server, tool, sent]);
        return answers[server]?.[tool] ?? 'done';
      },
    };
  }
  const servers = await Promise.all(
    Array.from(tools, async ([name, own]) => [name, await textToolServer(own)] as const),
  );
  const asked: ApprovalRequest[] = [];
  const host = scope.use(
    await createHost({
      files: 'none',
      inProcess: Object.fromEntries(servers),
      permissions: { mode: 'allow-all' },
      approve: (request) => {
        asked.push(request);
        return options.answer === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: 'no' };
      },
      ...options,
    }),
  );
  return { host, called, asked };
}

const cases = FLOW_STORIES.map((story, index) => [index + 1, story.asked, story] as const);

describe('a call that leaks private data after foreign text was read', () => {
  it.each(cases)('needs approval although a rule allows it: story %i, %s', async (_, __, story) => {
    verifies('POL-09');
    await using scope = new Scope();
    const { host, called, asked } = await stage(scope, story, { answer: 'deny' });
    const conversation = host.conversation();
    for (const [server, tool, given] of story.reads) {
      const outcome = await conversation.call({ server, tool }, given);
      expect(outcome).toMatchObject({ kind: 'result' });
    }
    expect(asked).toEqual([]);
    const [server, tool, given] = story.attack;
    const outcome = await conversation.call({ server, tool }, given);
    expect(outcome).toMatchObject({ kind: 'denied', by: { kind: 'approver' } });
    expect(called).toEqual(story.reads);
    const [request] = asked;
    expect(request).toMatchObject({
      arguments: given,
      decision: { kind: 'ask', because: { kind: 'flow', instead: { kind: 'mode' } } },
      offers: ['once', 'session'],
    });
    const because = request?.decision.because;
    if (because?.kind !== 'flow') throw new Error('no flow');
    // It names the sources, and the pieces of the call that were taken from them.
    const names = story.reads.map(([one, other]) => `${one}/${other}`);
    expect(names).toContain(`${because.concern.private.server}/${because.concern.private.tool}`);
    expect(names).toContain(`${because.concern.foreign.server}/${because.concern.foreign.tool}`);
    expect(request?.taken).not.toEqual([]);
  });

  it.each(cases)('is denied if no person can be asked: story %i, %s', async (_, __, story) => {
    verifies('POL-09');
    await using scope = new Scope();
    const { host, called, asked } = await stage(scope, story, { answer: 'allow', flow: 'deny' });
    const conversation = host.conversation();
    for (const [server, tool, given] of story.reads) {
      await conversation.call({ server, tool }, given);
    }
    const [server, tool, given] = story.attack;
    const outcome = await conversation.call({ server, tool }, given);
    expect(outcome).toMatchObject({ kind: 'denied', by: { kind: 'policy' } });
    expect(asked).toEqual([]);
    expect(called).toEqual(story.reads);
  });

  it.each(cases)('needs two approvals at most: task %i, %s', async (_, __, story) => {
    verifies('POL-09');
    await using scope = new Scope();
    const { host, called, asked } = await stage(scope, story, { answer: 'allow' });
    const conversation = host.conversation();
    for (const [server, tool, given] of story.everyday) {
      const outcome = await conversation.call({ server, tool }, given);
      expect(outcome).toMatchObject({ kind: 'result' });
    }
    expect(called).toEqual(story.everyday);
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
