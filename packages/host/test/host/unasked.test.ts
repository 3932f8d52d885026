// Messages of a server about unknown requests are ignored, and bounded. Its log messages are passed on.

import { type JsonObject, Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host, HostEvent } from '../../src/host/index.ts';
import { askingCells } from './asking-peers.ts';
import { givenHost } from './given-host.ts';

const LIBRARY = {
  resources: [{ uri: 'scripted://a', name: 'a' }],
  prompts: [{ name: 'p', messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] }],
};
const script = { library: LIBRARY };

const PHANTOMS: readonly (readonly [method: string, params: JsonObject])[] = [
  ['notifications/progress', { progressToken: 'never-started', progress: 1 }],
  ['notifications/progress', { progressToken: 4711, progress: 1 }],
  [
    'notifications/tasks/status',
    {
      taskId: 'phantom',
      status: 'completed',
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
      ttl: null,
    },
  ],
  ['notifications/resources/updated', { uri: 'scripted://never-subscribed' }],
  ['notifications/elicitation/complete', { elicitationId: 'phantom' }],
  ['notifications/cancelled', { requestId: 'never-sent' }],
  ['notifications/subscriptions/acknowledged', { notifications: {} }],
  ['notifications/no-such-thing', {}],
];

function say(host: Host, method: string, params: JsonObject, times = 1) {
  return host.call({ server: 'peer', tool: 'say' }, { method, params, times });
}

describe.each(askingCells)('a server over $name', ({ entry }) => {
  it('is ignored, and not disconnected, when it reports on unknown requests', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { peer: await entry(scope, script) });
    const updates: unknown[] = [];
    const watched = await host.resources.subscribe({ server: 'peer', uri: 'scripted://a' }, () =>
      updates.push('a'),
    );
    expect(watched.kind).toBe('subscribed');
    await host.tools();
    const events: HostEvent[] = [];
    host.on((event) => events.push(event));
    const progress: unknown[] = [];
    const outcomes: string[] = [];
    for (const [method, params] of PHANTOMS) {
      const outcome = await host.call(
        { server: 'peer', tool: 'say' },
        { method, params, times: 3 },
        { onProgress: (step) => progress.push(step) },
      );
      outcomes.push(outcome.kind);
    }
    expect(outcomes).toEqual(PHANTOMS.map(() => 'result'));
    expect({ updates, events, progress }).toEqual({ updates: [], events: [], progress: [] });
    expect(host.servers[0]?.state.kind).toBe('ready');
  });

  it('that floods its log still gets answers, and its log is bounded', async () => {
    verifies('CAL-04');
    await using scope = new Scope();
    const capabilities = { tools: {}, logging: {} };
    const host = await givenHost(scope, { peer: await entry(scope, { capabilities }) });
    let lines = 0;
    host.on((event) => {
      if (event.kind === 'log') lines += 1;
    });
    const params = { level: 'info', data: 'x'.repeat(1000) };
    expect((await say(host, 'notifications/message', params, 5000)).kind).toBe('result');
    expect(lines).toBe(5000);
    expect(host.trace('peer').length).toBe(500);
    expect((await say(host, 'notifications/message', params)).kind).toBe('result');
  });

  it('may log at any time, and its messages are passed on', async () => {
    verifies('CAL-04');
    await using scope = new Scope();
    const capabilities = { tools: {}, logging: {}, resources: {}, prompts: {} };
    const peer = await entry(scope, { library: LIBRARY, capabilities, logsOnRequest: true });
    const host = await givenHost(scope, { peer });
    const heard: unknown[] = [];
    host.on((event) => {
      if (event.kind === 'log') heard.push(event.log.data);
    });
    await host.call({ server: 'peer', tool: 'echo' }, { message: 'hi' });
    await host.resources.read({ server: 'peer', uri: 'scripted://a' });
    await host.prompts.get({ server: 'peer', prompt: 'p' }, {});
    const asked = heard.filter((method) => typeof method === 'string' && !method.endsWith('/list'));
    expect(asked).toEqual(expect.arrayContaining(['tools/call', 'resources/read', 'prompts/get']));
  });
});
