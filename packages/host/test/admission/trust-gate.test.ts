// Which servers of real files need an approval, and what makes an approval invalid.

import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { approve, type AdmittedServer, readConfiguration } from '../../src/admission/index.ts';
import type { HostEnvironment } from '../../src/platform/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard/settings.json';
const PROJECT = 'project/.mcp.json';
const PLUGIN = 'home/.config/plugboard/plugins/tools';

const json = (value: unknown): string => JSON.stringify(value);

interface Changes {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function environmentOf(folder: TempFolder, { cwd = 'project', env = {} }: Changes = {}) {
  return testEnvironment(folder.path, { cwd: join(folder.path, cwd), env });
}

async function serversOf(environment: HostEnvironment): Promise<readonly AdmittedServer[]> {
  return (await readConfiguration({ environment })).servers;
}

async function states(
  folder: TempFolder,
  changes: Changes = {},
): Promise<Readonly<Record<string, string>>> {
  const servers = await serversOf(environmentOf(folder, changes));
  return Object.fromEntries(
    servers.map(({ name, admission }) => [
      name,
      admission.kind === 'untrusted' ? `untrusted, ${admission.standing.kind}` : admission.kind,
    ]),
  );
}

async function approveAll(folder: TempFolder, changes: Changes = {}): Promise<void> {
  const environment = environmentOf(folder, changes);
  for (const { admission } of await serversOf(environment)) {
    if (admission.kind === 'untrusted') await approve(environment, admission.subject);
  }
}

/** Two repositories in one folder. */
async function repositories(): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  await folder.mkdir('other/.git');
  return folder;
}

async function write(folder: TempFolder, file: string, servers: object): Promise<void> {
  await folder.write(file, json({ mcpServers: servers }));
}

describe('a repository', () => {
  verifies('CFG-11');

  it.each([
    ['.mcp.json'],
    ['.plugboard/settings.json'],
    ['.plugboard/settings.local.json'],
    ['.claude/settings.json'],
    ['.claude/settings.local.json'],
    ['deep/.mcp.json'],
    ['deep/.plugboard/settings.local.json'],
  ])('starts no server by its %s', async (file) => {
    await using folder = await repositories();
    await folder.mkdir('project/deep');
    await write(folder, `project/${file}`, { evil: { command: 'evil' } });
    expect(await states(folder, { cwd: 'project/deep' })).toEqual({ evil: 'untrusted, unknown' });
  });

  it('starts no server by a plugin inside it', async () => {
    await using folder = await repositories();
    const plugin = 'project/.plugboard/plugins/p';
    await folder.write(`${plugin}/.claude-plugin/plugin.json`, json({ name: 'p' }));
    await folder.write(`${plugin}/.mcp.json`, json({ s: { command: 'evil' } }));
    expect(await states(folder)).toEqual({ 'plugin:p:s': 'untrusted, unknown' });
  });

  it.each<[string, object, string]>([
    ['its arguments', { args: ['evil'] }, 'untrusted, unknown'],
    ['a variable of it', { env: { NODE_OPTIONS: '--require ./evil.js' } }, 'untrusted, unknown'],
    ['its folder', { cwd: '.' }, 'untrusted, unknown'],
    ['its file of variables', { envFile: '.env' }, 'untrusted, unknown'],
    ['all of it', { command: 'evil' }, 'untrusted, unknown'],
    ['that it is on', { disabled: false }, 'untrusted, unknown'],
    ['its time', { timeout: 5 }, 'admitted'],
    ['its tools', { tools: { include: ['a'] } }, 'admitted'],
  ])("can change of a user's server %s only with approval", async (_what, patch, expected) => {
    await using folder = await repositories();
    await folder.write('project/.env', 'A=1\n');
    await write(folder, USER, { mine: { command: 'mine', disabled: true } });
    await write(folder, PROJECT, { mine: patch });
    expect(await states(folder)).toEqual({ mine: expected });
    await write(folder, USER, { mine: { command: 'mine' } });
    await write(folder, 'project/.plugboard/settings.local.json', { mine: patch });
    const isSwitch = 'disabled' in patch;
    expect(await states(folder)).toEqual({ mine: isSwitch ? 'admitted' : expected });
  });

  it("can change the address and the identity of a user's remote server only with approval", async () => {
    await using folder = await repositories();
    await write(folder, USER, { mine: { type: 'http', url: 'https://mine.com' } });
    for (const patch of [
      { url: 'https://evil.com' },
      { headers: { Authorization: 'Bearer ${GITHUB_TOKEN}' } },
      { headersHelper: './evil' },
      { oauth: { authServerMetadataUrl: 'https://evil.com' } },
    ]) {
      await write(folder, PROJECT, { mine: patch });
      expect(await states(folder)).toEqual({ mine: 'untrusted, unknown' });
    }
  });

  it("starts no server by files in the place of the user's own", async () => {
    await using folder = await repositories();
    await folder.write(
      'project/xdg/plugboard/settings.json',
      json({ mcpServers: { evil: { command: 'evil' } } }),
    );
    const env = { XDG_CONFIG_HOME: join(folder.path, 'project/xdg') };
    expect(await states(folder, { env })).toEqual({ evil: 'untrusted, unknown' });
    // From another working directory, it is an ordinary folder.
    expect(await states(folder, { env, cwd: 'other' })).toEqual({ evil: 'admitted' });
  });

  it('cannot enable a server that the user has disabled, although it was approved before', async () => {
    await using folder = await repositories();
    await write(folder, PROJECT, { s: { command: 'a' } });
    await approveAll(folder);
    await write(folder, USER, { s: { disabled: true } });
    expect(await states(folder)).toEqual({ s: 'admitted' });
    await write(folder, PROJECT, { s: { command: 'a', disabled: false } });
    const [server] = await serversOf(environmentOf(folder));
    expect(server?.admission).toMatchObject({
      kind: 'untrusted',
      standing: { kind: 'changed', changes: [{ kind: 'added', field: 'isTurnedOn' }] },
    });
    await approveAll(folder);
    expect(await states(folder)).toEqual({ s: 'admitted' });
  });
});

describe('the approval of a server', () => {
  verifies('CFG-11');

  const LOCAL = {
    command: 'node',
    args: ['a.js'],
    env: { A: '${A}' },
    cwd: '.',
    envFile: '.env',
    timeout: 1000,
  };
  const REMOTE = {
    type: 'http',
    url: 'https://a.com/mcp',
    headers: { 'X-A': 'a' },
    headersHelper: 'helper a',
  };

  it.each<[string, object, object, readonly object[]]>([
    ['the command', LOCAL, { command: 'deno' }, [{ kind: 'changed', field: 'command' }]],
    ['an argument', LOCAL, { args: ['b.js'] }, [{ kind: 'changed', field: 'args' }]],
    ['a new argument', LOCAL, { args: ['a.js', 'b'] }, [{ kind: 'changed', field: 'args' }]],
    ['a variable', LOCAL, { env: { A: '${B}' } }, [{ kind: 'changed', field: 'env.A' }]],
    [
      'a new variable',
      LOCAL,
      { env: { A: '${A}', NODE_OPTIONS: '-r x' } },
      [{ kind: 'added', field: 'env.NODE_OPTIONS' }],
    ],
    ['the folder', LOCAL, { cwd: './b' }, [{ kind: 'changed', field: 'cwd' }]],
    ['the address', REMOTE, { url: 'https://b.com/mcp' }, [{ kind: 'changed', field: 'url' }]],
    ['a header', REMOTE, { headers: { 'X-A': 'b' } }, [{ kind: 'changed', field: 'headers.X-A' }]],
    [
      'the command that prints headers',
      REMOTE,
      { headersHelper: 'helper b' },
      [{ kind: 'changed', field: 'headersHelper' }],
    ],
    [
      'where one signs in',
      REMOTE,
      { oauth: { authServerMetadataUrl: 'https://b.com' } },
      [{ kind: 'added', field: 'oauth.authServerMetadataUrl' }],
    ],
    ['the way it is spoken to', REMOTE, { type: 'sse' }, [{ kind: 'changed', field: 'type' }]],
  ])('ends with a change of %s, and the change is named', async (_what, entry, change, changes) => {
    await using folder = await repositories();
    await folder.write('project/.env', 'B=1\n');
    await write(folder, PROJECT, { s: entry });
    await approveAll(folder);
    expect(await states(folder)).toEqual({ s: 'admitted' });
    await write(folder, PROJECT, { s: { ...entry, ...change } });
    const [server] = await serversOf(environmentOf(folder));
    expect(server?.admission).toMatchObject({
      kind: 'untrusted',
      standing: { kind: 'changed', changes },
    });
    await write(folder, PROJECT, { s: entry });
    expect(await states(folder)).toEqual({ s: 'admitted' });
  });

  it('ends with a change of the content of the variable file', async () => {
    await using folder = await repositories();
    const env = { A: 'a' };
    await folder.write('project/.env', 'B=1\n');
    await write(folder, PROJECT, { s: LOCAL });
    // While a variable is missing, the file is not read, and nothing starts.
    await approveAll(folder);
    expect(await states(folder, { env })).toEqual({ s: 'untrusted, changed' });
    await approveAll(folder, { env });
    expect(await states(folder, { env })).toEqual({ s: 'admitted' });
    await folder.write('project/.env', 'B=1\nNODE_OPTIONS=--require ./evil.js\n');
    const [server] = await serversOf(environmentOf(folder, { env }));
    expect(server?.admission).toMatchObject({
      standing: {
        kind: 'changed',
        changes: [{ kind: 'added', field: 'envFileValues.NODE_OPTIONS' }],
      },
    });
  });

  it.each<[string, object]>([
    ['how long it may take', { timeout: 5 }],
    ['its tools', { tools: { exclude: ['x'] } }],
    ['when it starts', { lifecycle: 'eager' }],
  ])('survives a change of %s', async (_what, change) => {
    await using folder = await repositories();
    await folder.write('project/.env', '');
    await write(folder, PROJECT, { s: LOCAL });
    await approveAll(folder);
    await write(folder, PROJECT, { s: { ...LOCAL, ...change } });
    expect(await states(folder)).toEqual({ s: 'admitted' });
  });

  it('survives another value of a variable that the user has set', async () => {
    await using folder = await repositories();
    await write(folder, PROJECT, { s: { command: 'a', env: { TOKEN: '${TOKEN}' } } });
    await approveAll(folder, { env: { TOKEN: 'one' } });
    expect(await states(folder, { env: { TOKEN: 'two' } })).toEqual({ s: 'admitted' });
  });

  it('is valid in one folder: not in a copy, not elsewhere, not after a move', async () => {
    await using folder = await repositories();
    await write(folder, PROJECT, { s: { command: 'a' } });
    await approveAll(folder);
    await cp(join(folder.path, 'project'), join(folder.path, 'copy'), { recursive: true });
    expect(await states(folder, { cwd: 'copy' })).toEqual({ s: 'untrusted, unknown' });
    await write(folder, 'other/.mcp.json', { s: { command: 'a' } });
    expect(await states(folder, { cwd: 'other' })).toEqual({ s: 'untrusted, unknown' });
    await rename(join(folder.path, 'project'), join(folder.path, 'moved'));
    expect(await states(folder, { cwd: 'moved' })).toEqual({ s: 'untrusted, unknown' });
    await rename(join(folder.path, 'moved'), join(folder.path, 'project'));
    expect(await states(folder)).toEqual({ s: 'admitted' });
  });

  it('of a plugin is valid everywhere, but not with changes of a repository', async () => {
    await using folder = await repositories();
    await folder.write(`${PLUGIN}/.claude-plugin/plugin.json`, json({ name: 'tools' }));
    await folder.write(`${PLUGIN}/.mcp.json`, json({ s: { command: 'node', args: ['run.js'] } }));
    const name = 'plugin:tools:s';
    expect(await states(folder)).toEqual({ [name]: 'untrusted, unknown' });
    await approveAll(folder);
    expect(await states(folder)).toEqual({ [name]: 'admitted' });
    expect(await states(folder, { cwd: 'other' })).toEqual({ [name]: 'admitted' });

    const patch = { [name]: { args: ['./here.js'] } };
    await write(folder, PROJECT, patch);
    await write(folder, 'other/.mcp.json', patch);
    expect((await states(folder))[name]).toMatch(/^untrusted/);
    await approveAll(folder);
    expect(await states(folder)).toEqual({ [name]: 'admitted' });
    // The same words now refer to another file.
    expect((await states(folder, { cwd: 'other' }))[name]).toMatch(/^untrusted/);
  });

  it('does not lift a block', async () => {
    await using folder = await repositories();
    await write(folder, PROJECT, { s: { command: 'a' } });
    await approveAll(folder);
    await folder.write(USER, json({ deniedMcpServers: [{ serverName: 's' }] }));
    expect(await states(folder)).toEqual({ s: 'blocked' });
  });

  it('is not needed in a run that trusts the project', async () => {
    await using folder = await repositories();
    await write(folder, PROJECT, { s: { command: 'a' } });
    const environment = environmentOf(folder);
    const { servers } = await readConfiguration({ environment, trust: 'project' });
    expect(servers.map(({ admission }) => admission)).toEqual([{ kind: 'admitted' }]);
    expect(await states(folder)).toEqual({ s: 'untrusted, unknown' });
  });
});
