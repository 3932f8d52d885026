import { Scope } from '@plugboard/base';
import {
  isAlive,
  scriptedServer,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allowAll,
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
} from '../../src/host/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';

interface FollowedHost {
  readonly folder: TempFolder;
  readonly host: Host;
  readonly events: readonly HostEvent[];
  /** Replaces the user's file as editors do, and waits until the host reports the change. */
  readonly edit: (servers: object | string) => Promise<HostEvent>;
}

/** A host whose servers are in the user's file. */
async function followed(
  scope: Scope,
  servers: object,
  options: HostOptions = {},
): Promise<FollowedHost> {
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  await folder.write(USER_FILE, JSON.stringify({ mcpServers: servers }));
  const environment = testEnvironment(folder.path, {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const host = scope.use(await createHost({ environment, approve: allowAll, ...options }));
  const events: HostEvent[] = [];
  host.on((event) => events.push(event));
  const isAboutFiles = ({ kind }: HostEvent): boolean =>
    kind === 'configuration' || kind === 'configuration-kept';
  return {
    folder,
    host,
    events,
    edit: async (next) => {
      const seen = events.filter(isAboutFiles).length;
      const text = typeof next === 'string' ? next : JSON.stringify({ mcpServers: next });
      const draft = await folder.write(`${USER_FILE}.draft`, text);
      await rename(draft, join(folder.path, USER_FILE));
      await waitUntil(() => events.filter(isAboutFiles).length > seen, {
        describe: 'the host to follow the edit',
      });
      const [event] = events.filter(isAboutFiles).slice(seen);
      if (event === undefined) throw new Error('no event');
      return event;
    },
  };
}

async function pidOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

const change = (changes: object) => ({
  kind: 'configuration',
  added: [],
  removed: [],
  changed: [],
  diagnostics: [],
  ...changes,
});

describe('a host that follows its files', () => {
  verifies('CFG-12');

  it('starts added servers, stops removed ones, restarts changed ones, and leaves the rest', async () => {
    await using scope = new Scope();
    const server = scriptedServer();
    const { host, edit } = await followed(scope, { stays: server, goes: server, varies: server });
    await host.tools();
    const before = {
      stays: await pidOf(host, 'stays'),
      goes: await pidOf(host, 'goes'),
      varies: await pidOf(host, 'varies'),
    };
    const event = await edit({
      comes: server,
      stays: server,
      varies: { ...server, env: { ...server.env, NEW: 'value' } },
    });
    expect(event).toEqual(change({ added: ['comes'], removed: ['goes'], changed: ['varies'] }));
    expect(host.servers.map(({ name }) => name)).toEqual(['comes', 'stays', 'varies']);
    await waitUntil(() => !isAlive(before.goes) && !isAlive(before.varies), {
      describe: 'the old processes to end',
    });
    // No call needed them: they are started because the earlier ones were in use.
    await waitUntil(() => host.servers.every(({ state }) => state.kind === 'ready'), {
      describe: 'the new ones to be ready',
    });
    expect(await pidOf(host, 'stays')).toBe(before.stays);
    expect(await pidOf(host, 'varies')).not.toBe(before.varies);
    expect(await host.call({ server: 'goes', tool: 'pids' }, {})).toMatchObject({
      kind: 'unknown-server',
    });
    const { tools } = await host.tools();
    expect(new Set(tools.map((tool) => tool.server))).toEqual(
      new Set(['comes', 'stays', 'varies']),
    );
  });

  it('does not start a server that was not needed yet', async () => {
    await using scope = new Scope();
    const { host, edit } = await followed(scope, { one: scriptedServer() });
    await edit({ one: { ...scriptedServer(), timeout: 1000 }, two: scriptedServer() });
    expect(host.servers.map(({ name, state }) => [name, state.kind])).toEqual([
      ['one', 'idle'],
      ['two', 'idle'],
    ]);
  });

  it('keeps the last good configuration while a file is broken, and reports that', async () => {
    await using scope = new Scope();
    const { host, edit, folder } = await followed(scope, { one: scriptedServer() });
    const pid = await pidOf(host, 'one');
    expect(await edit('{ "mcpServers": { "one": ')).toEqual({
      kind: 'configuration-kept',
      diagnostics: [
        expect.objectContaining({ code: 'syntax', file: join(folder.path, USER_FILE), line: 1 }),
      ],
    });
    expect(await pidOf(host, 'one')).toBe(pid);
    expect(await edit({ one: scriptedServer(), two: scriptedServer() })).toEqual(
      change({ added: ['two'] }),
    );
    expect(await pidOf(host, 'one')).toBe(pid);
  });

  it('follows a file given with --mcp-config, and keeps its servers while it is broken', async () => {
    verifies('CFG-16');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const named = await folder.write('named.json', '{ "a": { "command": "one" } }');
    const environment = testEnvironment(folder.path);
    const options = { environment, files: 'none', mcpConfig: [named] } as const;
    const host = scope.use(await createHost(options));
    const names = (): readonly string[] => host.servers.map(({ name }) => name);
    const kept: HostEvent[] = [];
    host.on((event) => {
      if (event.kind === 'configuration-kept') kept.push(event);
    });
    expect(names()).toEqual(['a']);
    await folder.write('named.json', '{ "a": { "command": "one" }, "b": { "command": "two" } }');
    await waitUntil(() => names().length === 2, { describe: 'the new server' });
    await folder.write('named.json', '{ "a": ');
    await waitUntil(() => kept.length > 0, { describe: 'the broken edit to be told' });
    expect(names()).toEqual(['a', 'b']);
  });

  it('keeps the servers of Claude Code while its file is empty during a write', async () => {
    verifies('CFG-17');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const environment = testEnvironment(folder.path);
    await folder.write('home/.claude.json', '{ "mcpServers": { "a": { "command": "one" } } }');
    const host = scope.use(await createHost({ environment }));
    const names = (): readonly string[] => host.servers.map(({ name }) => name);
    await folder.write('home/.claude.json', '');
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "mcpServers": { "b": { "command": "two" } } }',
    );
    await waitUntil(() => names().includes('b'), { describe: 'the other file to count' });
    expect(names()).toEqual(['a', 'b']);
  });

  it('follows the servers of Claude Code, and nothing else in its file', async () => {
    verifies('CFG-12', 'CFG-17');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const environment = testEnvironment(folder.path);
    const write = (startups: number, servers: object): Promise<string> =>
      folder.write(
        'home/.claude.json',
        JSON.stringify({ numStartups: startups, mcpServers: servers }),
      );
    await write(1, { a: { command: 'one' } });
    const host = scope.use(await createHost({ environment }));
    const events: HostEvent[] = [];
    host.on((event) => events.push(event));
    const names = (): readonly string[] => host.servers.map(({ name }) => name);
    expect(names()).toEqual(['a']);
    await write(2, { a: { command: 'one' } });
    await folder.write('home/.claude.json', '{ "mcpSer');
    await write(3, { a: { command: 'one' }, b: { command: 'two' } });
    await waitUntil(() => names().length === 2, { describe: 'the new server' });
    const told = events.filter(({ kind }) => kind.startsWith('configuration'));
    expect(told).toEqual([expect.objectContaining({ added: ['b'], removed: [], changed: [] })]);
  });

  it('keeps the servers of Claude Code while its file is broken, and follows other edits', async () => {
    verifies('CFG-17');
    await using scope = new Scope();
    const { folder, host, edit } = await followed(scope, {});
    await folder.write('home/.claude.json', '{ "mcpServers": { "a": { "command": "one" } } }');
    const names = (): readonly string[] => host.servers.map(({ name }) => name);
    await waitUntil(() => names().length === 1, { describe: 'the new server' });
    await folder.write('home/.claude.json', '{ "mcpServers": {');
    await edit({ b: { command: 'two' } });
    expect(names()).toEqual(['a', 'b']);
  });

  it('keeps one server unchanged while its entry is broken, and follows the others', async () => {
    await using scope = new Scope();
    const { host, edit } = await followed(scope, { one: scriptedServer() });
    const pid = await pidOf(host, 'one');
    expect(await edit({ one: { command: 7 }, two: scriptedServer() })).toMatchObject({
      ...change({ added: ['two'] }),
      diagnostics: [{ code: 'wrong-type', server: 'one' }],
    });
    expect(await pidOf(host, 'one')).toBe(pid);
    expect(host.diagnostics).toMatchObject([{ code: 'wrong-type', server: 'one' }]);
  });

  it('follows a file that appears in a new folder', async () => {
    await using scope = new Scope();
    const { host, folder, events } = await followed(scope, {});
    await folder.write(
      'home/.claude/settings.json',
      JSON.stringify({ mcpServers: { late: scriptedServer() } }),
    );
    await waitUntil(() => events.length > 0, { describe: 'the host to follow' });
    expect(events).toEqual([change({ added: ['late'] })]);
    expect(host.servers.map(({ name }) => name)).toEqual(['late']);
  });

  it('reports nothing when a server only moved to another line', async () => {
    await using scope = new Scope();
    const { host, edit, folder } = await followed(scope, { one: scriptedServer() });
    const pid = await pidOf(host, 'one');
    const text = `\n\n${JSON.stringify({ mcpServers: { one: scriptedServer() } })}`;
    await folder.write(USER_FILE, text);
    await waitUntil(
      () => {
        const { origin } = host.servers[0] ?? {};
        return origin?.kind === 'file' && origin.line === 3;
      },
      { describe: 'the new place to be known' },
    );
    expect(await pidOf(host, 'one')).toBe(pid);
    expect(await edit({})).toEqual(change({ removed: ['one'] }));
  });

  it('does not follow files if watching is off', async () => {
    await using scope = new Scope();
    const { host, folder } = await followed(scope, {}, { watch: 'none' });
    await folder.write(USER_FILE, JSON.stringify({ mcpServers: { one: scriptedServer() } }));
    expect(host.servers).toEqual([]);
  });

  it('ends a call to a server that is removed during the call, with a reason', async () => {
    await using scope = new Scope();
    const { host, edit } = await followed(scope, { one: scriptedServer() });
    await host.tools();
    const outcome = host.call({ server: 'one', tool: 'never' }, {});
    await edit({});
    expect(await outcome).toMatchObject({ kind: 'not-connected', server: 'one' });
  });
});
