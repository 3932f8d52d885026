// Which values of real files are withheld from a server that a foreign file states in part, and until when.

import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type AdmittedServer,
  approve,
  readConfiguration,
  revoke,
} from '../../src/admission/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard/settings.json';
const PROJECT = 'project/.mcp.json';
const LOCAL = 'project/.plugboard/settings.local.json';
const PLUGIN = 'home/.config/plugboard/plugins/tools';

const COMMAND = {
  command: 'mine',
  args: ['mine.js'],
  env: { A: 'literal', B: '${B}' },
  envFile: 'mine.env',
};
const REMOTE = {
  type: 'http',
  url: 'https://mine.example/mcp',
  headers: { Authorization: 'Bearer literal', 'X-B': '${B}' },
  headersHelper: 'print-headers',
  oauth: {
    clientId: 'me',
    clientSecret: '${secret:C}',
    privateKey: '${secret:K}',
    assertion: '${secret:J}',
    issuer: 'https://login.example',
    scopes: 'read',
    xaa: true,
  },
};
const ALL_OF_COMMAND = ['env.A', 'env.B', 'envFile'];
const ALL_OF_REMOTE = [
  'headers.Authorization',
  'headers.X-B',
  'headersHelper',
  'oauth.clientSecret',
  'oauth.privateKey',
  'oauth.assertion',
  'oauth.xaa',
];

async function home(): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  await folder.write('home/.config/plugboard/mine.env', 'C=literal\n');
  await folder.write('project/theirs.env', 'D=1\n');
  return folder;
}

async function write(folder: TempFolder, file: string, server: object): Promise<void> {
  await folder.write(file, JSON.stringify({ mcpServers: { s: server } }));
}

const environmentOf = (folder: TempFolder) =>
  testEnvironment(folder.path, { env: { B: 'of the environment' } });

async function read(folder: TempFolder) {
  return readConfiguration({ environment: environmentOf(folder) });
}

async function serverOf(folder: TempFolder): Promise<AdmittedServer> {
  const { servers, rejected } = await read(folder);
  const [server] = servers;
  if (server === undefined) throw new Error(`no server: ${JSON.stringify(rejected)}`);
  return server;
}

async function withheld(folder: TempFolder): Promise<readonly string[]> {
  const { handover } = await serverOf(folder);
  return (handover?.items ?? []).flatMap(({ field, isGiven }) => (isGiven ? [] : [field]));
}

async function trust(folder: TempFolder, given: readonly string[] = []): Promise<void> {
  const { admission, handover } = await serverOf(folder);
  const subject = admission.kind === 'untrusted' ? admission.subject : handover?.subject;
  if (subject === undefined) throw new Error('nothing to approve');
  expect((await approve(environmentOf(folder), subject, { given })).ok).toBe(true);
}

describe("a field of a user's server that a repository states", () => {
  verifies('POL-17');

  it.each<[string, object, object, readonly string[]]>([
    ['other arguments', COMMAND, { args: ['evil.js'] }, ALL_OF_COMMAND],
    ['another folder', COMMAND, { cwd: '.' }, ALL_OF_COMMAND],
    ['another variable', COMMAND, { env: { BASE_URL: 'https://evil.example' } }, ALL_OF_COMMAND],
    ['another file of variables', COMMAND, { envFile: 'theirs.env' }, ['env.A', 'env.B']],
    ['one of the variables', COMMAND, { env: { A: 'theirs' } }, ['env.B', 'envFile']],
    ['another way to speak', REMOTE, { type: 'sse' }, ALL_OF_REMOTE],
    [
      'where one signs in',
      REMOTE,
      { oauth: { authServerMetadataUrl: 'https://evil.example' } },
      ALL_OF_REMOTE,
    ],
    ['another client', REMOTE, { oauth: { clientId: 'evil' } }, ALL_OF_REMOTE],
    ['another issuer', REMOTE, { oauth: { issuer: 'https://evil.example' } }, ALL_OF_REMOTE],
    ['the name of a host', REMOTE, { headers: { host: 'evil.example' } }, ALL_OF_REMOTE],
    [
      'a command that prints headers',
      REMOTE,
      { headersHelper: 'evil' },
      ALL_OF_REMOTE.filter((field) => field !== 'headersHelper'),
    ],
    ['the folder of the command that prints headers', REMOTE, { cwd: 'project' }, ALL_OF_REMOTE],
  ])('withholds values of the user: %s', async (_, mine, patch, expected) => {
    for (const file of [PROJECT, 'project/.plugboard/settings.json', LOCAL]) {
      await using folder = await home();
      await write(folder, USER, mine);
      await write(folder, file, patch);
      expect(await withheld(folder)).toEqual(expected);
      await trust(folder);
      expect(await withheld(folder)).toEqual(expected);
      const { written, resolved } = await serverOf(folder);
      expect(JSON.stringify([written, resolved])).not.toMatch(/literal|of the environment|secret:/);
    }
  });

  it.each<[string, object]>([
    ['the address of a local file', { url: 'https://evil.example/mcp' }],
    ['the address and the way', { type: 'ws', url: 'wss://evil.example/mcp' }],
  ])('withholds values of the user: %s', async (_, patch) => {
    await using folder = await home();
    await write(folder, USER, REMOTE);
    await write(folder, LOCAL, patch);
    expect(await withheld(folder)).toEqual(ALL_OF_REMOTE);
  });

  it.each<[string, object, object]>([
    ['its time', COMMAND, { timeout: 5 }],
    ['that it is off', COMMAND, { disabled: true }],
    ['its tools', COMMAND, { tools: { include: ['a'] } }],
    ['its permissions', COMMAND, { permissions: { deniedTools: ['a'] } }],
    ['another header', REMOTE, { headers: { 'X-Team': 'theirs' } }],
    ['what has no effect on it', COMMAND, { url: undefined, headers: { Host: 'evil.example' } }],
  ])('does not withhold values of the user: %s', async (_, mine, patch) => {
    await using folder = await home();
    await write(folder, USER, mine);
    await write(folder, PROJECT, patch);
    expect(await withheld(folder)).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ['arguments', { command: 'mine', args: ['--key', '${B}'] }, { cwd: '.' }, 'args'],
    ['arguments', { command: 'mine', args: ['--api-key', 'literal'] }, { cwd: '.' }, 'args'],
    ['a command', { command: '${B}/run', args: [] }, { args: ['evil.js'] }, 'command'],
    [
      'an address',
      { url: 'https://mine.example/mcp?api_key=literal' },
      { oauth: { authServerMetadataUrl: 'https://evil.example' } },
      'url',
    ],
  ])('prevents the start while %s of the user contain a secret', async (_, mine, patch, field) => {
    await using folder = await home();
    await write(folder, USER, mine);
    await write(folder, PROJECT, patch);
    await trust(folder);
    const { resolved } = await serverOf(folder);
    const suggestion = `If it may have that: plugboard trust s --give ${field}`;
    expect(resolved).toMatchObject({
      kind: 'unresolved',
      diagnostics: [{ severity: 'error', code: 'withheld', suggestion, server: 's' }],
    });
    await trust(folder, [field]);
    expect((await serverOf(folder)).resolved.kind).toBe('ready');
  });

  it('does not withhold arguments that name only standard variables', async () => {
    await using folder = await home();
    await write(folder, USER, { command: 'mine', args: ['${HOME:-/}/data'] });
    await write(folder, PROJECT, { cwd: '.' });
    expect(await withheld(folder)).toEqual([]);
  });

  it("withholds the answers that the user gave to a plugin's questions", async () => {
    await using folder = await home();
    const entry = { command: 'node', args: ['run.js'], env: { KEY: 'literal' } };
    await folder.write(`${PLUGIN}/.claude-plugin/plugin.json`, '{"name":"tools"}');
    await folder.write(`${PLUGIN}/.mcp.json`, JSON.stringify({ s: entry }));
    const patch = { mcpServers: { 'plugin:tools:s': { args: ['./evil.js'] } } };
    await folder.write(PROJECT, JSON.stringify(patch));
    expect(await withheld(folder)).toEqual(['env.KEY']);
  });

  it('counts as one source with all other files of the folder', async () => {
    await using folder = await home();
    await write(folder, PROJECT, COMMAND);
    await folder.write('project/mine.env', '');
    await write(folder, LOCAL, { args: ['./other.js'], env: { MINE: 'x' } });
    expect(await withheld(folder)).toEqual([]);
  });

  it('does not withhold what the user wrote over it', async () => {
    await using folder = await home();
    const plugin = { command: 'node', args: ['run.js'] };
    await folder.write(`${PLUGIN}/.claude-plugin/plugin.json`, '{"name":"tools"}');
    await folder.write(`${PLUGIN}/.mcp.json`, JSON.stringify({ s: plugin }));
    const patch = { mcpServers: { 'plugin:tools:s': { env: { KEY: 'literal' } } } };
    await folder.write(USER, JSON.stringify(patch));
    expect(await withheld(folder)).toEqual([]);
    expect((await serverOf(folder)).written).toMatchObject({ env: { KEY: 'literal' } });
  });
});

describe('a value that the user gives', () => {
  verifies('POL-17');

  it('is passed on, and no other is', async () => {
    await using folder = await home();
    await write(folder, USER, COMMAND);
    await write(folder, PROJECT, { args: ['evil.js'] });
    await trust(folder, ['env.B']);
    expect(await withheld(folder)).toEqual(['env.A', 'envFile']);
    const { written, resolved } = await serverOf(folder);
    expect(written).toMatchObject({ args: ['evil.js'], env: { B: '${B}' } });
    expect(resolved).toMatchObject({ entry: { env: { B: 'of the environment' } } });
  });

  it.each<[string, string, object]>([
    ['the foreign entry', PROJECT, { args: ['more-evil.js'] }],
    ["the user's entry", USER, { ...COMMAND, env: { A: 'another' } }],
  ])('is withheld again after a change of %s', async (_, file, changed) => {
    await using folder = await home();
    await write(folder, USER, COMMAND);
    await write(folder, PROJECT, { args: ['evil.js'] });
    await trust(folder, ALL_OF_COMMAND);
    expect(await withheld(folder)).toEqual([]);
    await write(folder, file, changed);
    expect((await serverOf(folder)).admission.kind).toBe('untrusted');
    await trust(folder);
    expect(await withheld(folder)).toContain('env.A');
  });

  it('is not included in an earlier approval, which still lets the server start', async () => {
    await using folder = await home();
    await write(folder, USER, COMMAND);
    await write(folder, PROJECT, { args: ['evil.js'] });
    await trust(folder);
    const { admission } = await serverOf(folder);
    expect(admission.kind).toBe('admitted');
    const { diagnostics, explain } = await read(folder);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'withheld',
        message: '"s" does not get your A, B, envFile: "args" here decides where that would go.',
        suggestion: 'If it may have that: plugboard trust s --give A --give B --give envFile',
        file: join(folder.path, PROJECT),
        line: 1,
        column: 21,
        server: 's',
      },
    ]);
    const field = explain('s').find(({ path }) => path.join('.') === 'env.A');
    expect(field).toMatchObject({ from: [], lost: [{ scope: 'user', why: 'withheld' }] });
  });

  it('is revoked with the approval, also from a server whose file is broken by now', async () => {
    await using folder = await home();
    await write(folder, USER, COMMAND);
    await write(folder, PROJECT, { args: ['evil.js'] });
    await trust(folder, ['env.A']);
    const before = await read(folder);
    await folder.write(PROJECT, '{');
    const kept = async () => {
      const [server] = await (await read(folder)).readmit(before.servers, before);
      return server?.admission.kind;
    };
    expect(await kept()).toBe('admitted');
    const environment = environmentOf(folder);
    const [{ handover } = {}] = before.servers;
    if (handover === undefined) throw new Error('nothing is handed over');
    await approve(environment, handover.subject, {});
    expect(await kept()).toBe('untrusted');
    await revoke(environment, { name: 's', root: environment.cwd });
    expect(await kept()).toBe('untrusted');
  });

  it('is passed on in a run that trusts the project, which gives nothing by itself', async () => {
    await using folder = await home();
    await write(folder, USER, COMMAND);
    await write(folder, PROJECT, { args: ['evil.js'] });
    const environment = environmentOf(folder);
    const inRun = async () => {
      const [server] = (await readConfiguration({ environment, trust: 'project' })).servers;
      return server;
    };
    expect(await inRun()).toMatchObject({ admission: { kind: 'admitted' }, written: { env: {} } });
    await trust(folder, ['env.A']);
    expect(await inRun()).toMatchObject({ written: { env: { A: 'literal' } } });
  });
});
