import { Scope } from '@plugboard/base';
import {
  descendants,
  ManualClock,
  scriptedServer,
  startEverythingHttp,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HOST_IDENTITY } from '../../src/host/version.ts';
import { givenHost } from './given-host.ts';

describe('a host', () => {
  it('starts nothing until it is needed', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { a: scriptedServer(), b: scriptedServer() });
    expect(host.servers.map(({ name, state, next }) => [name, state.kind, next])).toEqual([
      ['a', 'idle', 'use'],
      ['b', 'idle', 'use'],
    ]);
    expect(descendants().filter(({ command }) => command.includes('scripted-server'))).toEqual([]);
  });

  it('lists the tools of working servers and reports the failures of others', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    await using http = await startEverythingHttp();
    const host = await givenHost(scope, {
      good: scriptedServer({ builtIns: ['echo'] }),
      remote: { type: 'http', url: http.url },
      silent: { ...scriptedServer({ silent: true }), connectTimeout: 700 },
      broken: scriptedServer({ invalidJson: 'always' }),
      gone: { command: 'no-such-command-here' },
      crashing: scriptedServer({ exitAtStart: { exit: 1, stderr: 'no\n' } }),
    });
    const { tools, problems } = await host.tools();
    expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(['good', 'remote']));
    expect(problems).toMatchObject([
      { server: 'broken', reason: { kind: 'broken-frame' } },
      { server: 'crashing', reason: { kind: 'exited' } },
      { server: 'gone', reason: { kind: 'command-not-found' } },
      { server: 'silent', reason: { kind: 'timeout', ms: 700 } },
    ]);
    expect(await host.call('mcp__good__echo', { message: 'still here' })).toMatchObject({
      kind: 'result',
    });
  });

  it('opens no more local servers at once than allowed', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    const host = await givenHost(
      scope,
      Object.fromEntries(names.map((name) => [name, scriptedServer({ builtIns: ['echo'] })])),
      // The clock stands still, since a server that takes long to open releases its slot.
      { limits: { local: 2, remote: 20 }, clock: new ManualClock() },
    );
    let most = 0;
    let running = 0;
    // A server is `connecting` as soon as it is needed, so the test counts processes.
    using _ = host.on((event) => {
      if (event.kind !== 'state' || event.server.state.kind !== 'ready') return;
      running += 1;
      const started = descendants().filter(({ command }) => command.includes('scripted-server'));
      most = Math.max(most, started.length - running);
    });
    const { tools } = await host.tools();
    expect(tools).toHaveLength(8);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('does not let silent servers prevent others from connecting', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    const silent = { ...scriptedServer({ silent: true }), connectTimeout: 60_000 };
    const host = await givenHost(scope, {
      good: scriptedServer({ builtIns: ['echo'] }),
      s1: silent,
      s2: silent,
      s3: silent,
    });
    const waiting = host.tools({ servers: ['s1', 's2', 's3'] });
    const outcome = await host.call({ server: 'good', tool: 'echo' }, { message: 'hi' });
    expect(outcome).toMatchObject({ kind: 'result' });
    await host.close();
    await waiting;
  });

  it('reports every change of every server', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    const seen: string[] = [];
    using _ = host.on((event) =>
      seen.push(event.kind === 'state' ? `state ${event.server.state.kind}` : event.kind),
    );
    await host.tools();
    await host.close();
    expect(seen).toEqual(['state connecting', 'state ready', 'tools', 'state idle']);
  });

  it('exposes nothing of a server through which a tool could be called around the pipeline', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer({ instructions: 'be kind' }) });
    await host.tools();
    const [{ state } = { state: undefined }] = host.servers;
    expect(state).toEqual({
      kind: 'ready',
      since: expect.any(Number) as number,
      era: 'legacy',
      protocolVersion: '2025-11-25',
      server: expect.objectContaining({ name: expect.any(String) as string }) as object,
      instructions: 'be kind',
    });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('closes although servers are stubborn, and leaves no process', async () => {
    verifies('CON-10');
    await using scope = new Scope();
    const stubborn = scriptedServer({
      ignoreSignals: ['SIGINT', 'SIGTERM'],
      ignoreStdinEnd: true,
      grandchildren: 1,
    });
    const host = await givenHost(scope, { a: stubborn, b: stubborn, c: stubborn });
    await host.tools();
    expect(descendants().filter(({ command }) => command.includes('scripted-server'))).not.toEqual(
      [],
    );
    await host.close();
    await waitUntil(
      () => !descendants().some(({ command }) => command.includes('scripted-server')),
      { describe: 'all servers to be gone' },
    );
  });

  it('starts nothing for a call that was pending when it closed', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    await host.tools();
    const call = host.call({ server: 's', tool: 'never' }, {});
    await host.close();
    expect(await call).toMatchObject({ kind: 'not-connected', reason: { kind: 'closed' } });
    expect(await host.call({ server: 's', tool: 'echo' }, { message: 'x' })).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'closed' },
    });
    expect(descendants().filter(({ command }) => command.includes('scripted-server'))).toEqual([]);
  });

  it('reads the files of its folder', async () => {
    await using folder = await tempFolder();
    await folder.write('.mcp.json', JSON.stringify({ mcpServers: { here: scriptedServer() } }));
    await using scope = new Scope();
    const inFolder = { files: 'discover', cwd: folder.path } as const;
    const asking = await givenHost(scope, {}, inFolder);
    const trusting = await givenHost(scope, {}, { ...inFolder, trust: 'project' });
    const here = [asking, trusting].map((host) => host.servers.find(({ name }) => name === 'here'));
    expect(here).toMatchObject([
      { scope: 'project', transport: 'stdio', state: { kind: 'untrusted' } },
      { scope: 'project', transport: 'stdio', state: { kind: 'idle' } },
    ]);
  });

  it('introduces itself with the version of its package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    expect(HOST_IDENTITY.version).toBe((JSON.parse(text) as { version: string }).version);
  });
});
