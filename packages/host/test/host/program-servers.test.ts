import { Scope } from '@plugboard/base';
import {
  inProcessServer,
  isAlive,
  scriptedServer,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost, type Host, type HostEvent } from '../../src/host/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { givenHost } from './given-host.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';

const namesOf = (host: Host): readonly string[] => host.servers.map(({ name }) => name);

/** An entry that violates the types, as from a file that a program read itself. */
const WRONG = JSON.parse('{ "command": 7 }') as object;

const applied = (changes: object = {}) => ({
  kind: 'applied',
  added: [],
  removed: [],
  changed: [],
  refused: [],
  diagnostics: [],
  ...changes,
});

async function pidOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

async function echo(host: Host, server: string): Promise<string> {
  return (await host.call({ server, tool: 'echo' }, { message: 'hi' })).kind;
}

/** A host that follows the user's file, which has these servers. */
async function following(scope: Scope, servers: object) {
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  const write = (text: string) => folder.write(USER_FILE, text);
  await write(JSON.stringify({ mcpServers: servers }));
  const environment = testEnvironment(folder.path, { env: { PATH: process.env['PATH'] ?? '' } });
  const host = scope.use(await createHost({ environment, approve: allowAll }));
  const events: HostEvent[] = [];
  host.on((event) => events.push(event));
  return { host, events, write };
}

describe('servers that the program adds and removes while the host runs', () => {
  verifies('API-03');

  it('may run in the same process', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {});
    expect(await host.addServer('mine', await inProcessServer())).toEqual(
      applied({ added: ['mine'] }),
    );
    expect((await host.tools()).tools.map(({ name }) => name)).toEqual([
      'mcp__mine__add',
      'mcp__mine__echo',
    ]);
    expect(await echo(host, 'mine')).toBe('result');
    expect(await host.removeServer('mine')).toEqual(applied({ removed: ['mine'] }));
    expect(namesOf(host)).toEqual([]);
    expect(await echo(host, 'mine')).toBe('unknown-server');
  });

  it('may be entries, and end when they are removed', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {});
    await host.addServer('s', scriptedServer());
    const pid = await pidOf(host, 's');
    await host.removeServer('s');
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
  });

  it('are changed only if the program states something else', async () => {
    await using scope = new Scope();
    const [mine, other] = [await inProcessServer(), await inProcessServer()];
    const host = await givenHost(
      scope,
      { stays: scriptedServer(), varies: scriptedServer(), goes: scriptedServer() },
      { inProcess: { mine } },
    );
    const [stays, varies] = [await pidOf(host, 'stays'), await pidOf(host, 'varies')];
    expect(await echo(host, 'mine')).toBe('result');
    const states: string[] = [];
    host.on((event) => {
      if (event.kind === 'state') states.push(event.server.name);
    });
    const next = { stays: scriptedServer(), varies: scriptedServer({ eras: ['legacy'] }), mine };
    expect(await host.setServers({ ...next, comes: scriptedServer() })).toEqual(
      applied({ added: ['comes'], removed: ['goes'], changed: ['varies'] }),
    );
    expect(namesOf(host)).toEqual(['comes', 'mine', 'stays', 'varies']);
    expect(await pidOf(host, 'stays')).toBe(stays);
    expect(await pidOf(host, 'varies')).not.toBe(varies);
    expect(states).not.toContain('stays');
    expect(states).not.toContain('mine');
    // The same server again is not a change; another one in this process is.
    expect(await host.setServers({ ...next, comes: scriptedServer() })).toEqual(applied());
    expect(await host.setServers({ ...next, mine: other })).toEqual(
      applied({ removed: ['comes'], changed: ['mine'] }),
    );
    expect(await echo(host, 'mine')).toBe('result');
  });

  it('are reported if they are invalid, and the others count', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {});
    const outcome = await host.setServers({ bad: WRONG, good: scriptedServer() });
    expect(outcome).toMatchObject({
      added: ['good'],
      refused: [{ server: 'bad', reason: { kind: 'invalid' } }],
      diagnostics: [{ severity: 'error', server: 'bad' }],
    });
    expect(namesOf(host)).toEqual(['good']);
    // Once it is valid, it is added.
    expect(await host.addServer('bad', scriptedServer())).toEqual(applied({ added: ['bad'] }));
    expect(await host.addServer('bad', WRONG)).toMatchObject({ added: [], changed: [] });
  });

  it('continue unchanged if the next statement of the program is invalid', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    const pid = await pidOf(host, 's');
    expect(await host.addServer('s', WRONG)).toMatchObject({
      changed: [],
      refused: [{ server: 's', reason: { kind: 'invalid' } }],
      diagnostics: [{ severity: 'error', server: 's' }],
    });
    expect(await pidOf(host, 's')).toBe(pid);
    await host.removeServer('s');
    expect(namesOf(host)).toEqual([]);
  });

  it('are all present when they are added at once', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {});
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => host.addServer(name, scriptedServer())));
    expect(namesOf(host)).toEqual(names);
  });

  it('are refused by a closed host', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {});
    await host.close();
    expect(await host.addServer('s', scriptedServer())).toEqual({ kind: 'closed' });
  });
});

describe('servers that the program adds beside those of files', () => {
  verifies('API-03');

  it('stay when files are edited, and do not affect those of files', async () => {
    await using scope = new Scope();
    const { host, write } = await following(scope, { ours: scriptedServer() });
    const ours = await pidOf(host, 'ours');
    await host.addServer('mine', await inProcessServer());
    await host.addServer('entry', scriptedServer());
    const entry = await pidOf(host, 'entry');
    await write(JSON.stringify({ mcpServers: { ours: scriptedServer(), new: scriptedServer() } }));
    await waitUntil(() => namesOf(host).includes('new'), { describe: 'the edit to count' });
    expect(namesOf(host)).toEqual(['entry', 'mine', 'new', 'ours']);
    expect([await pidOf(host, 'ours'), await pidOf(host, 'entry')]).toEqual([ours, entry]);
    await host.setServers({});
    expect(namesOf(host)).toEqual(['new', 'ours']);
    expect(await pidOf(host, 'ours')).toBe(ours);
  });

  it('replace one of that name, until they are removed', async () => {
    await using scope = new Scope();
    const { host } = await following(scope, { shared: scriptedServer() });
    await host.addServer('shared', await inProcessServer());
    expect(host.servers).toMatchObject([{ name: 'shared', transport: 'in-process' }]);
    await host.removeServer('shared');
    expect(host.servers).toMatchObject([{ name: 'shared', transport: 'stdio', scope: 'user' }]);
  });

  it('are gone once removed, also if a file has an unusable entry of that name', async () => {
    await using scope = new Scope();
    const { host } = await following(scope, { shared: { url: 7 } });
    await host.addServer('shared', await inProcessServer());
    expect(namesOf(host)).toEqual(['shared']);
    await host.removeServer('shared');
    expect(namesOf(host)).toEqual([]);
  });

  it('are not reported as added if a policy list blocks them', async () => {
    await using scope = new Scope();
    const { host, write } = await following(scope, {});
    await write(JSON.stringify({ mcpServers: {}, deniedMcpServers: [{ serverName: 'denied' }] }));
    const stated = { denied: scriptedServer(), fine: scriptedServer() };
    expect(await host.setServers(stated)).toMatchObject({
      added: ['fine'],
      refused: [{ server: 'denied', reason: { kind: 'blocked', rule: { scope: 'user' } } }],
    });
    await write(JSON.stringify({ mcpServers: {}, deniedMcpServers: [] }));
    expect(await host.setServers({ ...stated, more: scriptedServer() })).toEqual(
      applied({ added: ['more'] }),
    );
    expect(namesOf(host)).toEqual(['denied', 'fine', 'more']);
  });

  it('are reported as removed if a policy list blocks the new statement', async () => {
    await using scope = new Scope();
    const { host, write } = await following(scope, {});
    const denied = { command: 'node', args: ['-e', '0'] };
    const rule = { serverCommand: [denied.command, ...denied.args] };
    await write(JSON.stringify({ mcpServers: {}, deniedMcpServers: [rule] }));
    expect(await host.addServer('s', scriptedServer())).toEqual(applied({ added: ['s'] }));
    expect(await host.addServer('s', denied)).toMatchObject({
      added: [],
      changed: [],
      removed: ['s'],
      refused: [{ server: 's', reason: { kind: 'blocked' } }],
    });
  });

  it('are added and removed also while a file is broken, which keeps the servers of files', async () => {
    await using scope = new Scope();
    const { host, events, write } = await following(scope, { ours: scriptedServer() });
    await host.addServer('first', scriptedServer());
    await write('{ "mcpServers": ');
    await waitUntil(() => events.some(({ kind }) => kind === 'configuration-kept'), {
      describe: 'the broken edit to be noticed',
    });
    await host.addServer('second', scriptedServer());
    expect(namesOf(host)).toEqual(['first', 'ours', 'second']);
    expect(await echo(host, 'second')).toBe('result');
    await host.removeServer('first');
    expect(namesOf(host)).toEqual(['ours', 'second']);
  });
});
