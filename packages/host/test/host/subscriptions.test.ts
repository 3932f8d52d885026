import { Scope } from '@plugboard/base';
import {
  everything,
  ManualClock,
  scriptedServer,
  startEverythingHttp,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { UpdateBrake } from '../../src/host/update-brake.ts';
import type { Host } from '../../src/index.ts';
import { givenHost } from './given-host.ts';

const library = { resources: [{ uri: 'memo://a', name: 'a' }] };
const A = { server: 'a', uri: 'memo://a' };

async function subscribed(host: Host, reference = A) {
  let updates = 0;
  const outcome = await host.resources.subscribe(reference, () => void (updates += 1));
  if (outcome.kind !== 'subscribed') throw new Error(JSON.stringify(outcome));
  return { outcome, updates: () => updates };
}

describe.each(['legacy', 'modern'] as const)('a subscription, %s', (era) => {
  verifies('INB-06');
  const entry = { ...scriptedServer({ library, eras: [era] }), protocol: era };

  it('receives changes until it is disposed', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { a: entry });
    const { outcome, updates } = await subscribed(host);
    const touch = () => host.call({ server: 'a', tool: 'touch' }, { uri: 'memo://a' });
    await touch();
    await waitUntil(() => updates() === 1, { describe: 'word of a change' });
    outcome[Symbol.dispose]();
    await touch();
    const second = await subscribed(host);
    await touch();
    await waitUntil(() => second.updates() === 1, { describe: 'word of a change' });
    expect(updates()).toBe(1);
  });

  it('continues after a crash: the server is restarted, and missed changes are reported', async () => {
    await using scope = new Scope();
    const crashing = scriptedServer({
      library,
      eras: [era],
      tools: [{ name: 'die' }],
      crashOn: { tool: 'die', exit: 1 },
    });
    const host = await givenHost(scope, { a: { ...crashing, protocol: era } });
    const { updates } = await subscribed(host);
    await host.call({ server: 'a', tool: 'die' }, {});
    await waitUntil(() => updates() === 1, { describe: 'word of the gap' });
    expect(host.servers.map(({ state }) => state.kind)).toEqual(['ready']);
    await waitUntil(
      async () => {
        await host.call({ server: 'a', tool: 'touch' }, { uri: 'memo://a' });
        return updates() > 1;
      },
      { describe: 'word of a change after the crash' },
    );
  });

  it('counts as use: a watched server is not stopped as idle', async () => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const host = await givenHost(scope, { a: entry }, { clock, upkeep: { idleStopMs: 1000 } });
    const { outcome } = await subscribed(host);
    const state = () => host.servers[0]?.state.kind;
    await clock.advance(10_000);
    expect(state()).toBe('ready');
    outcome[Symbol.dispose]();
    await clock.advance(2000);
    expect(state()).toBe('idle');
  });

  it('is not flooded by endless updates, nor by unrequested ones', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { a: entry });
    const { updates } = await subscribed(host);
    await host.call(
      { server: 'a', tool: 'touch' },
      { uri: 'memo://other', times: 1000, anyway: true },
    );
    expect(updates()).toBe(0);
    await host.call({ server: 'a', tool: 'touch' }, { uri: 'memo://a', times: 20_000 });
    await waitUntil(() => updates() > 0, { describe: 'word of a change' });
    expect(updates()).toBeLessThan(100);
  });
});

describe('a subscription', () => {
  verifies('INB-06');

  it.each(['stdio', 'http'] as const)('to server-everything works over %s', async (transport) => {
    await using scope = new Scope();
    const entry =
      transport === 'stdio'
        ? everything()
        : { type: 'http', url: scope.use(await startEverythingHttp()).url };
    const host = await givenHost(scope, { a: entry });
    const uri = 'demo://resource/dynamic/text/1';
    const { updates } = await subscribed(host, { server: 'a', uri });
    await host.call({ server: 'a', tool: 'toggle-subscriber-updates' }, {});
    await waitUntil(() => updates() > 0, { describe: 'word of a change' });
  });

  it('is refused by a server that does not support it', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ library, capabilities: { tools: {}, resources: {} } }),
    });
    expect(await host.resources.subscribe(A, () => {})).toEqual({
      kind: 'unsupported',
      server: 'a',
      feature: 'subscriptions',
    });
  });
});

describe('the limit on updates', () => {
  it('passes the first one at once, and then one for each interval', async () => {
    const clock = new ManualClock();
    let updates = 0;
    const brake = new UpdateBrake(clock, () => void (updates += 1));
    for (let index = 0; index < 1000; index += 1) brake.update();
    expect(updates).toBe(1);
    await clock.advance(100);
    expect(updates).toBe(2);
    await clock.advance(1000);
    expect([updates, clock.pending]).toEqual([2, 0]);
    brake.update();
    brake.update();
    brake[Symbol.dispose]();
    await clock.advance(1000);
    expect(updates).toBe(3);
  });
});
