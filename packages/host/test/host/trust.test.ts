// Servers that are not trusted: a running host shows them, and does not start them.

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  descendants,
  isAlive,
  scriptedServer,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { approve, readConfiguration, revoke } from '../../src/admission/index.ts';
import { allowAll, createHost, type Host, type HostOptions } from '../../src/host/index.ts';
import type { HostEnvironment } from '../../src/platform/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard/settings.json';
const PROJECT = 'project/.mcp.json';

interface HostInFolder {
  readonly folder: TempFolder;
  readonly environment: HostEnvironment;
  readonly host: Host;
}

/** `project` and `user` are the contents of the two files. */
async function hosted(
  scope: Scope,
  { project = {}, user = {} }: { readonly project?: object; readonly user?: object },
  options: HostOptions = {},
): Promise<HostInFolder> {
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  await folder.write(PROJECT, JSON.stringify(project));
  await folder.write(USER, JSON.stringify(user));
  const environment = testEnvironment(folder.path, { env: { PATH: process.env['PATH'] ?? '' } });
  const host = scope.use(await createHost({ environment, approve: allowAll, ...options }));
  return { folder, environment, host };
}

/** Replaces the file at once, as an editor does. */
async function save(folder: TempFolder, file: string, text: string): Promise<void> {
  await rename(await folder.write(`${file}.draft`, text), join(folder.path, file));
}

/** Does the same as `plugboard trust` in another process. */
async function approveAll(environment: HostEnvironment): Promise<void> {
  const { servers } = await readConfiguration({ environment });
  for (const { admission } of servers) {
    if (admission.kind === 'untrusted') await approve(environment, admission.subject);
  }
}

async function pidOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

const stateOf = (host: Host, server: string) =>
  host.servers.find(({ name }) => name === server)?.state;

async function reaches(host: Host, server: string, kind: string): Promise<void> {
  await waitUntil(() => stateOf(host, server)?.kind === kind, {
    describe: () => `${server} to be ${kind}, not ${stateOf(host, server)?.kind}`,
  });
}

const running = (): number =>
  descendants().filter(({ command }) => /scripted-server/.test(command)).length;

describe('a server of a repository', () => {
  verifies('CFG-11');

  it('is shown as untrusted, and not started, eager or not', async () => {
    await using scope = new Scope();
    const before = running();
    const server = scriptedServer();
    const { host } = await hosted(scope, {
      project: { mcpServers: { theirs: { ...server, lifecycle: 'eager' } } },
      user: { mcpServers: { mine: { ...server, lifecycle: 'eager' } } },
    });
    await reaches(host, 'mine', 'ready');
    expect(host.servers.find(({ name }) => name === 'theirs')).toMatchObject({
      state: { kind: 'untrusted', standing: { kind: 'unknown' } },
      next: 'trust',
      scope: 'project',
    });
    const reason = { kind: 'untrusted', standing: { kind: 'unknown' } };
    expect(await host.call({ server: 'theirs', tool: 'echo' }, {})).toEqual({
      kind: 'not-connected',
      server: 'theirs',
      tool: 'echo',
      reason,
    });
    const { tools, problems } = await host.tools();
    expect(new Set(tools.map((tool) => tool.server))).toEqual(new Set(['mine']));
    expect(problems).toMatchObject([{ kind: 'not-connected', server: 'theirs', reason }]);
    expect(await host.tools({ servers: ['theirs'], fresh: true })).toMatchObject({
      tools: [],
      problems: [{ kind: 'not-connected', reason }],
    });
    expect(running() - before).toBe(1);
  });

  it('starts once another process has approved it, at once if it is eager', async () => {
    await using scope = new Scope();
    const server = scriptedServer();
    const { host, environment } = await hosted(scope, {
      project: { mcpServers: { eager: { ...server, lifecycle: 'eager' }, lazy: server } },
    });
    expect(stateOf(host, 'lazy')?.kind).toBe('untrusted');
    await approveAll(environment);
    await reaches(host, 'eager', 'ready');
    // Approvals are written one by one, so the second may follow after the first server has started.
    await reaches(host, 'lazy', 'idle');
    expect(await pidOf(host, 'lazy')).toBeGreaterThan(0);
  });

  it('is included once it is approved, if all tools were requested', async () => {
    await using scope = new Scope();
    const { host, environment } = await hosted(scope, {
      project: { mcpServers: { s: scriptedServer() } },
    });
    expect((await host.tools()).tools).toEqual([]);
    await approveAll(environment);
    await reaches(host, 's', 'ready');
    expect((await host.tools()).tools.length).toBeGreaterThan(0);
  });

  it('is stopped when the approval is revoked', async () => {
    await using scope = new Scope();
    const { host, environment } = await hosted(scope, {
      project: { mcpServers: { s: scriptedServer() } },
    });
    await approveAll(environment);
    await reaches(host, 's', 'idle');
    const pid = await pidOf(host, 's');
    await revoke(environment, { name: 's', root: environment.cwd });
    await reaches(host, 's', 'untrusted');
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
    expect(await host.call({ server: 's', tool: 'pids' }, {})).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'untrusted' },
    });
  });

  it.each([
    ['its file is broken', '{ "mcpServers": '],
    ['its entry is broken', '{ "mcpServers": { "s": { "command": 7 } } }'],
  ])('is stopped when the approval is revoked while %s', async (_what, text) => {
    await using scope = new Scope();
    const { host, environment, folder } = await hosted(scope, {
      project: { mcpServers: { s: scriptedServer() } },
    });
    await approveAll(environment);
    await reaches(host, 's', 'idle');
    const pid = await pidOf(host, 's');
    const heard: string[] = [];
    host.on(({ kind }) => heard.push(kind));
    await save(folder, PROJECT, text);
    await waitUntil(() => heard.includes('configuration-kept') || host.diagnostics.length > 0, {
      describe: 'the host to notice the broken file',
    });
    expect(await pidOf(host, 's')).toBe(pid);
    await revoke(environment, { name: 's', root: environment.cwd });
    await reaches(host, 's', 'untrusted');
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
  });

  it('is stopped when it changes while running, and needs approval again', async () => {
    await using scope = new Scope();
    const server = scriptedServer();
    const { host, environment, folder } = await hosted(scope, {
      project: { mcpServers: { s: server } },
    });
    await approveAll(environment);
    await reaches(host, 's', 'idle');
    const pid = await pidOf(host, 's');
    const changed = { ...server, env: { NODE_OPTIONS: '--require ./evil.js' } };
    await save(folder, PROJECT, JSON.stringify({ mcpServers: { s: changed } }));
    await reaches(host, 's', 'untrusted');
    expect(stateOf(host, 's')).toMatchObject({
      standing: { kind: 'changed', changes: [{ kind: 'added', field: 'env.NODE_OPTIONS' }] },
    });
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
  });

  it('starts without approval in a host that trusts the project, and stays unapproved', async () => {
    await using scope = new Scope();
    const { host, environment } = await hosted(
      scope,
      { project: { mcpServers: { s: scriptedServer() } } },
      { trust: 'project' },
    );
    expect(await pidOf(host, 's')).toBeGreaterThan(0);
    const { servers } = await readConfiguration({ environment });
    expect(servers.map(({ admission }) => admission.kind)).toEqual(['untrusted']);
  });
});

describe('a blocked server of a host', () => {
  verifies('CFG-10');

  const denied = { deniedMcpServers: [{ serverName: 's' }] };

  it('is shown with the rule, and not started, trusted or not', async () => {
    await using scope = new Scope();
    const before = running();
    const { host, folder } = await hosted(
      scope,
      {
        project: { mcpServers: { s: { ...scriptedServer(), lifecycle: 'eager' } } },
        user: denied,
      },
      { trust: 'project' },
    );
    const origin = { kind: 'file', file: join(folder.path, USER), line: 1, column: 22 };
    const state = {
      kind: 'blocked',
      rule: { kind: 'denied', scope: 'user', rule: { kind: 'name', name: 's', origin } },
    };
    expect(host.servers).toMatchObject([{ name: 's', state, next: 'ask-admin' }]);
    expect(await host.call({ server: 's', tool: 'pids' }, {})).toEqual({
      kind: 'not-connected',
      server: 's',
      tool: 'pids',
      reason: state,
    });
    expect((await host.tools()).problems).toMatchObject([{ kind: 'not-connected', reason: state }]);
    expect(running()).toBe(before);
  });

  it('is stopped when a rule appears, and may be used when it goes', async () => {
    await using scope = new Scope();
    const mcpServers = { s: scriptedServer() };
    const { host, folder } = await hosted(scope, { user: { mcpServers } });
    const pid = await pidOf(host, 's');
    await save(folder, USER, JSON.stringify({ mcpServers, ...denied }));
    await reaches(host, 's', 'blocked');
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
    await save(folder, USER, JSON.stringify({ mcpServers }));
    await reaches(host, 's', 'idle');
    expect(await pidOf(host, 's')).not.toBe(pid);
  });

  it('is stopped by a rule that appears while another file is broken', async () => {
    await using scope = new Scope();
    const { host, folder, environment } = await hosted(scope, {
      project: { mcpServers: { s: scriptedServer() } },
    });
    await approveAll(environment);
    await reaches(host, 's', 'idle');
    const pid = await pidOf(host, 's');
    await save(folder, PROJECT, '{ "mcpServers": ');
    await save(folder, USER, JSON.stringify(denied));
    await reaches(host, 's', 'blocked');
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
  });

  it('stays blocked while the file with the rule is broken', async () => {
    await using scope = new Scope();
    const { host, folder } = await hosted(scope, {
      project: { mcpServers: {} },
      user: { mcpServers: { s: scriptedServer() }, ...denied },
    });
    const heard: string[] = [];
    host.on(({ kind }) => heard.push(kind));
    await save(folder, USER, '{ "deniedMcpServers": [');
    await waitUntil(() => heard.includes('configuration-kept'), {
      describe: 'the host to notice the broken file',
    });
    expect(stateOf(host, 's')?.kind).toBe('blocked');
  });
});

describe('an approved server that runs a file of the project', () => {
  verifies('POL-16');

  const SERVER = scriptedServer({ builtIns: ['pids'] });
  const PROGRAM = `process.argv.splice(2, Infinity, ...${JSON.stringify(SERVER.args.slice(1))});
await import(${JSON.stringify(`file://${SERVER.args[0]}`)});
`;
  const project = { mcpServers: { s: { command: process.execPath, args: ['s.mjs'] } } };

  it('does not start with a changed file, even if the file is not watched', async () => {
    await using scope = new Scope();
    const { folder, environment } = await hosted(scope, { project });
    await folder.write('project/s.mjs', PROGRAM);
    await approveAll(environment);
    const host = scope.use(await createHost({ environment, approve: allowAll, watch: 'none' }));
    await save(folder, 'project/s.mjs', `console.error('another'); ${PROGRAM}`);
    expect(await host.call({ server: 's', tool: 'pids' }, {})).toMatchObject({
      kind: 'not-connected',
      reason: {
        kind: 'unresolved',
        problems: [
          {
            message: 's.mjs has changed since "s" was approved.',
            suggestion: 'Look at it, and approve it: plugboard trust s',
          },
        ],
      },
    });
  });

  it('is stopped when the file changes, and starts after a new approval', async () => {
    await using scope = new Scope();
    const { folder, environment } = await hosted(scope, { project });
    await folder.write('project/s.mjs', PROGRAM);
    await approveAll(environment);
    const host = scope.use(await createHost({ environment, approve: allowAll }));
    const pid = await pidOf(host, 's');
    await save(folder, 'project/s.mjs', `// Another.\n${PROGRAM}`);
    await reaches(host, 's', 'untrusted');
    await waitUntil(() => !isAlive(pid), { describe: 'the old program to end' });
    await approveAll(environment);
    await reaches(host, 's', 'idle');
    expect(await pidOf(host, 's')).toBeGreaterThan(0);
  });
});
