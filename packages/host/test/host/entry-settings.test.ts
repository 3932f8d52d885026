// The settings of entries and of the user for deadlines, upkeep and limits, with real servers.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Scope } from '@plugboard/base';
import {
  atSomePace,
  isAlive,
  ManualClock,
  scriptedServer,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { deadlinesOf } from '../../src/connection/index.ts';
import { allowAll, createHost, type Host } from '../../src/host/index.ts';
import { connectLimitsOf } from '../../src/host/ranked-settings.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { givenHost } from './given-host.ts';

async function pidOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

const stateOf = (host: Host, server: string) =>
  host.servers.find(({ name }) => name === server)?.state.kind;

describe('the settings of an entry', () => {
  it('state how long each step may take, with defaults for the rest', () => {
    verifies('CON-04');
    expect([
      deadlinesOf({}),
      deadlinesOf({ timeout: 4_000_000 }),
      deadlinesOf({ timeout: 1, hardTimeout: 2, connectTimeout: 3, listTimeout: 4 }),
    ]).toEqual([
      { connectMs: 30_000, listMs: 15_000, callIdleMs: 300_000, callHardMs: 3_600_000 },
      { connectMs: 30_000, listMs: 15_000, callIdleMs: 4_000_000, callHardMs: 4_000_000 },
      { connectMs: 3, listMs: 4, callIdleMs: 1, callHardMs: 2 },
    ]);
  });

  it('state how long listing may take, and do not affect another server', async () => {
    verifies('CON-04');
    await using scope = new Scope();
    const host = await givenHost(scope, {
      slow: { ...scriptedServer({ builtIns: ['echo'], listDelayMs: 600_000 }), listTimeout: 300 },
      other: scriptedServer({ builtIns: ['echo'], listDelayMs: 400 }),
    });
    const { tools, problems } = await host.tools();
    expect(problems).toMatchObject([
      { server: 'slow', reason: { kind: 'timeout', ms: 300, during: 'listing' } },
    ]);
    expect(tools.map(({ server }) => server)).toEqual(['other']);
  });

  it('state the maximum time of a call, even with progress', async () => {
    verifies('CON-04');
    await atSomePace(async (hardTimeout) => {
      await using scope = new Scope();
      const host = await givenHost(scope, {
        s: { ...scriptedServer(), timeout: 60_000, hardTimeout },
      });
      await host.tools();
      let heard = 0;
      const given = { ms: 600_000, steps: 30_000 };
      const outcome = await host.call({ server: 's', tool: 'sleep' }, given, {
        onProgress: () => (heard += 1),
      });
      expect(outcome).toMatchObject({ kind: 'timeout', ms: hardTimeout });
      expect(heard).toBeGreaterThan(0);
    });
  });

  it('switch a heartbeat on, which is off by default', async () => {
    verifies('CON-08');
    await using scope = new Scope();
    const clock = new ManualClock();
    const host = await givenHost(
      scope,
      {
        beats: { ...scriptedServer({ eras: ['legacy'] }), lifecycle: 'eager', heartbeat: 5000 },
        modern: { ...scriptedServer({ eras: ['modern'] }), lifecycle: 'eager', heartbeat: 5000 },
        still: { ...scriptedServer({ eras: ['legacy'] }), lifecycle: 'eager' },
      },
      { clock },
    );
    await Promise.all(['beats', 'modern', 'still'].map((server) => pidOf(host, server)));
    const sent = (server: string) =>
      host.trace(server).flatMap(({ direction, method }) => (direction === 'sent' ? [method] : []));
    const before = sent('modern').filter((method) => method === 'server/discover').length;
    await clock.advance(5000);
    await waitUntil(() => sent('beats').includes('ping'), { describe: 'a ping' });
    await waitUntil(
      () => sent('modern').filter((method) => method === 'server/discover').length > before,
      { describe: 'a discovery' },
    );
    expect(sent('still')).not.toContain('ping');
  });

  it('state how long a lazy server stays unused: 10 minutes by default', async () => {
    verifies('CON-11');
    await using scope = new Scope();
    const clock = new ManualClock();
    const host = await givenHost(
      scope,
      { short: { ...scriptedServer(), idleTimeout: 20_000 }, usual: scriptedServer() },
      { clock },
    );
    const [short, usual] = [await pidOf(host, 'short'), await pidOf(host, 'usual')];
    await clock.advance(19_000);
    expect([stateOf(host, 'short'), stateOf(host, 'usual')]).toEqual(['ready', 'ready']);
    await clock.advance(25_000);
    expect([stateOf(host, 'short'), stateOf(host, 'usual')]).toEqual(['idle', 'ready']);
    await waitUntil(() => !isAlive(short), { describe: 'the short one to end' });
    await clock.advance(500_000);
    expect(stateOf(host, 'usual')).toBe('ready');
    await clock.advance(700_000);
    expect(stateOf(host, 'usual')).toBe('idle');
    await waitUntil(() => !isAlive(usual), { describe: 'the usual one to end' });
  });
});

/** Accepts connections, and sends nothing. */
async function muteServer(scope: Scope) {
  const taken = new Set<Socket>();
  const server = createServer((socket) => taken.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(() => {
    for (const socket of taken) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, taken };
}

describe("the user's settings", () => {
  const USER_FILE = 'home/.config/plugboard/settings.json';

  it('state how many remote servers connect at once, also when they are edited', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    const { url, taken } = await muteServer(scope);
    const folder = scope.use(await tempFolder());
    await folder.mkdir('project/.git');
    const names = ['a', 'b', 'c', 'd', 'e'];
    const mcpServers = Object.fromEntries(
      // Each with its own address, so that none waits for another's answer.
      names.map((name) => [name, { type: 'http', url: `${url}/${name}`, protocol: 'legacy' }]),
    );
    const write = (limits: object) =>
      folder.write(USER_FILE, JSON.stringify({ limits, mcpServers }));
    await write({ connectingRemote: 2 });
    const host = scope.use(
      await createHost({
        environment: testEnvironment(folder.path),
        approve: allowAll,
        clock: new ManualClock(),
        watch: 'none',
      }),
    );
    const listing = host.tools();
    await waitUntil(() => taken.size === 2, { describe: 'two to connect' });
    await write({ connectingRemote: 4 });
    // Reads the files again, as a watch would.
    await host.setServers({});
    await waitUntil(() => taken.size > 2, { describe: 'more to connect' });
    await waitUntil(() => taken.size === 4, { describe: 'four to connect' });
    await host.close();
    await listing;
  });

  it('are weaker than those of the program, which are weaker than those of the machine owner', () => {
    verifies('CON-03');
    const origin = { kind: 'given', by: 'test' } as const;
    const user = { scope: 'user', origin, connectingLocal: 5, connectingRemote: 6 } as const;
    const owner = { scope: 'enterprise', origin, connectingLocal: 7 } as const;
    expect([
      connectLimitsOf({ limits: [] }),
      connectLimitsOf({ limits: [user] }),
      connectLimitsOf({ limits: [user] }, { remote: 1 }),
      connectLimitsOf({ limits: [owner, user] }, { local: 1, remote: 1 }),
    ]).toEqual([
      { local: 3, remote: 20 },
      { local: 5, remote: 6 },
      { local: 5, remote: 1 },
      { local: 7, remote: 1 },
    ]);
  });

  it('state how many local servers connect at once, also when they are edited', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.mkdir('project/.git');
    // None of them answers, so each keeps its slot while the clock stands still.
    const silent = { ...scriptedServer({ silent: true }), connectTimeout: 600_000 };
    const names = ['a', 'b', 'c', 'd', 'e'];
    const mcpServers = Object.fromEntries(names.map((name) => [name, silent]));
    const write = (limits: object) =>
      folder.write(USER_FILE, JSON.stringify({ limits, mcpServers }));
    await write({ connectingLocal: 1 });
    const host = scope.use(
      await createHost({
        environment: testEnvironment(folder.path, { env: { PATH: process.env['PATH'] ?? '' } }),
        approve: allowAll,
        clock: new ManualClock(),
        watch: 'none',
      }),
    );
    // The first message is sent once a server has a slot.
    const begun = () => names.filter((name) => host.trace(name).length > 0).length;
    const listing = host.tools();
    await waitUntil(() => begun() === 1, { describe: 'the first to begin' });
    await write({ connectingLocal: 4 });
    await host.setServers({});
    await waitUntil(() => begun() >= 2, { describe: 'more of them to begin' });
    await waitUntil(() => begun() === 4, { describe: 'four of them to begin' });
    await host.close();
    await listing;
  });
});
