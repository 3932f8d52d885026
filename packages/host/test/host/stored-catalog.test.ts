import { Scope } from '@plugboard/base';
import {
  descendants,
  scriptedServer,
  startScriptedHttp,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host, HostEvent, HostOptions } from '../../src/host/index.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import { givenHost } from './given-host.ts';

/** Hosts that share their files, like consecutive runs of one user. */
async function runsOfOneUser(
  scope: Scope,
  options: HostOptions = {},
): Promise<(servers: NonNullable<HostOptions['servers']>) => Promise<Host>> {
  const folder = scope.use(await tempFolder());
  const { paths, ...rest } = hostEnvironment();
  const state = join(folder.path, 'state');
  const environment = { ...rest, paths: { ...paths, state, cache: folder.path } };
  return (servers) => givenHost(scope, servers, { environment, ...options });
}

function started(): number {
  return descendants().filter(({ command }) => command.includes('scripted-server')).length;
}

function heard(host: Host): readonly HostEvent[] {
  const events: HostEvent[] = [];
  host.on((event) => void events.push(event));
  return events;
}

describe('the stored catalogue of a host', () => {
  verifies('CON-02');

  it('lists the tools of an earlier run with no process started', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const servers = { a: scriptedServer({ builtIns: ['echo', 'add'] }), b: scriptedServer() };
    const first = await run(servers);
    const asked = await first.tools();
    expect(asked.lists.map(({ server, source }) => [server, source])).toEqual([
      ['a', 'server'],
      ['b', 'server'],
    ]);
    await first.close();

    const second = await run(servers);
    const events = heard(second);
    const recalled = await second.tools();
    expect(recalled).toEqual({
      tools: asked.tools,
      problems: [],
      lists: asked.lists.map((list) => ({ ...list, source: 'stored' })),
      quarantined: [],
    });
    expect([events, started()]).toEqual([[], 0]);
  });

  it('lists at once what is known of a server that does not work at the moment', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const http = await startScriptedHttp({ builtIns: ['echo'] });
    const servers = { far: { type: 'http', url: http.url } };
    const first = await run(servers);
    await first.tools();
    await first.close();
    await http.close();
    const host = await run(servers);
    expect((await host.tools()).tools.map(({ name }) => name)).toEqual(['mcp__far__echo']);
    expect((await host.tools({ fresh: true })).problems).toMatchObject([
      { kind: 'not-connected', reason: { kind: 'unreachable' } },
    ]);
  });

  it('connects for the first call, and only to the called server', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const servers = { a: scriptedServer({ builtIns: ['echo'] }), b: scriptedServer() };
    const first = await run(servers);
    await first.tools();
    await first.close();
    const host = await run(servers);
    expect(await host.call('mcp__a__echo', { message: 'hello' })).toMatchObject({
      kind: 'result',
      parts: [{ kind: 'text', text: 'hello' }],
    });
    expect(host.servers.map(({ name, state }) => [name, state.kind])).toEqual([
      ['a', 'ready'],
      ['b', 'idle'],
    ]);
  });

  it('is replaced by what the server lists once it is connected', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope, { pins: 'off' });
    // Every start of the same command adds one tool.
    const capabilities = { tools: { listChanged: true } };
    const growing = { capabilities, builtIns: ['echo'], growOn: { tool: 'echo' } };
    const first = await run({ s: scriptedServer(growing) });
    await first.tools();
    await first.call('mcp__s__echo', { message: 'grow' });
    await waitUntil(async () => (await first.tools()).tools.length > 1, {
      describe: 'the grown list',
    });
    const grown = (await first.tools()).tools.map(({ tool }) => tool);
    await first.close();

    const host = await run({ s: scriptedServer(growing) });
    const events = heard(host);
    expect((await host.tools()).tools.map(({ tool }) => tool)).toEqual(grown);
    const gone = grown.find((tool) => tool !== 'echo') ?? '';
    expect(await host.call({ server: 's', tool: gone }, {})).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'rpc' },
    });
    await waitUntil(() => events.some(({ kind }) => kind === 'tools'), {
      describe: 'the new list',
    });
    expect((await host.tools()).tools.map(({ tool }) => tool)).toEqual(['echo']);
  });

  it('rejects no arguments by the schema of an earlier run', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const { paths, ...rest } = hostEnvironment();
    const environment = { ...rest, paths: { ...paths, state: folder.path, cache: folder.path } };
    const servers = { s: scriptedServer({ builtIns: ['echo'] }) };
    const first = await givenHost(scope, servers, { environment, pins: 'off' });
    await first.tools();
    await first.close();
    const [name = ''] = await readdir(join(folder.path, 'catalog'));
    const stored = await folder.read(`catalog/${name}`);
    await folder.write(`catalog/${name}`, stored.replaceAll('"message"', '"old"'));
    const host = await givenHost(scope, servers, { environment, pins: 'off' });
    expect((await host.tools()).tools[0]?.inputSchema).toMatchObject({ required: ['old'] });
    expect(await host.call('mcp__s__echo', { message: 'hi' })).toMatchObject({ kind: 'result' });
  });

  it('does not delay the connection of an eager server', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const entry = scriptedServer({ builtIns: ['echo'] });
    const servers = { eager: { ...entry, lifecycle: 'eager' as const }, lazy: entry };
    for (const host of [await run(servers), await run(servers)]) {
      const states = () => host.servers.map(({ state }) => state.kind);
      await waitUntil(() => states()[0] === 'ready', { describe: 'the eager server' });
      expect(states()).toEqual(['ready', 'idle']);
      await host.tools();
      await host.close();
    }
  });

  it('contains nothing of a server whose entry has changed', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const first = await run({ s: scriptedServer({ builtIns: ['echo'] }) });
    await first.tools();
    await first.close();
    const host = await run({ s: scriptedServer({ builtIns: ['add'] }) });
    const { tools, lists } = await host.tools();
    expect([tools.map(({ tool }) => tool), lists.map(({ source }) => source)]).toEqual([
      ['add'],
      ['server'],
    ]);
  });

  it('does not list a disabled server', async () => {
    await using scope = new Scope();
    const run = await runsOfOneUser(scope);
    const entry = scriptedServer({ builtIns: ['echo'] });
    const first = await run({ s: entry });
    await first.tools();
    await first.close();
    const host = await run({ s: { ...entry, disabled: true } });
    expect(await host.tools({ servers: ['s'] })).toEqual({
      tools: [],
      lists: [],
      problems: [{ server: 's', tool: '', kind: 'not-connected', reason: { kind: 'disabled' } }],
      quarantined: [],
    });
    expect((await host.call('mcp__s__echo', {})).kind).toBe('unknown-tool');
  });
});
