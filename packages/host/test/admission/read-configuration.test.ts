// The policy lists of real files, applied to the servers of real files.

import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type AdmittedConfiguration, readConfiguration } from '../../src/admission/index.ts';
import type { ConfigFile } from '../../src/config/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER = 'home/.config/plugboard/settings.json';
const PROJECT = 'project/.mcp.json';
const SETTINGS = 'project/.plugboard/settings.json';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** The files of the machine's owner, in a folder of the test. */
function ownersFiles(folder: TempFolder): readonly ConfigFile[] {
  const named = (name: string, format: ConfigFile['format']): ConfigFile => ({
    path: join(folder.path, 'etc', name),
    scope: 'enterprise',
    format,
    folder: join(folder.path, 'etc'),
  });
  return [named('managed-mcp.json', 'managed'), named('managed-settings.json', 'policy')];
}

async function read(
  folder: TempFolder,
  env: Readonly<Record<string, string>> = {},
): Promise<AdmittedConfiguration> {
  await folder.mkdir('project/.git');
  return readConfiguration({
    environment: testEnvironment(folder.path, { env }),
    enterprise: ownersFiles(folder),
    // Approvals are not tested here.
    trust: 'project',
  });
}

/** By name: admitted, or the rule that blocks the server, with its place. */
function verdicts(folder: TempFolder, { servers }: AdmittedConfiguration) {
  return Object.fromEntries(
    servers.map(({ name, admission }) => {
      if (admission.kind !== 'blocked') return [name, admission.kind];
      const { rule } = admission;
      const origin =
        rule.kind === 'broken-list'
          ? rule.cause
          : rule.kind === 'not-allowed'
            ? rule.origin
            : rule.rule.origin;
      const at = 'file' in origin ? `${origin.file}:${origin.line}:${origin.column}` : '';
      return [name, `${rule.kind} ${at.slice(folder.path.length + 1)} (${rule.scope})`];
    }),
  );
}

const local = (...argv: readonly string[]) => ({ command: argv[0], args: argv.slice(1) });
const remote = (url: string) => ({ type: 'http', url });

describe('a policy list', () => {
  verifies('CFG-10');

  it.each<[string, object, Readonly<Record<string, object>>, object]>([
    [
      'by name',
      { serverName: 'bad' },
      { bad: local('x'), good: local('x') },
      { bad: `denied ${USER}:3:5 (user)`, good: 'admitted' },
    ],
    [
      'by address, whatever variables it is made of',
      { serverUrl: 'https://*.evil.com/*' },
      {
        plain: remote('https://a.evil.com/mcp'),
        variable: remote('${BASE}/mcp'),
        part: remote('https://a.${HOST}/mcp'),
        fallback: remote('https://a.${UNSET:-evil.com}/mcp'),
        unreadable: remote('${UNSET}/mcp'),
        other: remote('https://good.com/https://a.evil.com/'),
      },
      {
        plain: `denied ${USER}:3:5 (user)`,
        variable: `denied ${USER}:3:5 (user)`,
        part: `denied ${USER}:3:5 (user)`,
        fallback: `denied ${USER}:3:5 (user)`,
        unreadable: `unclear-url ${USER}:3:5 (user)`,
        other: 'admitted',
      },
    ],
    [
      'by command, whatever variables it is made of',
      { serverCommand: ['npx', 'evil'] },
      {
        plain: local('npx', 'evil'),
        variable: local('${RUNNER}', '${PACKAGE}'),
        fallback: local('npx', '${UNSET:-evil}'),
        longer: local('npx', 'evil', '--more'),
      },
      {
        plain: `denied ${USER}:3:5 (user)`,
        variable: `denied ${USER}:3:5 (user)`,
        fallback: `denied ${USER}:3:5 (user)`,
        longer: 'admitted',
      },
    ],
  ])('blocks %s', async (_what, rule, servers, expected) => {
    await using folder = await tempFolder();
    await folder.write(USER, json({ deniedMcpServers: [rule] }));
    await folder.write(PROJECT, json({ mcpServers: servers }));
    const env = {
      BASE: 'https://a.evil.com',
      HOST: 'evil.com',
      RUNNER: 'npx',
      PACKAGE: 'evil',
    };
    expect(verdicts(folder, await read(folder, env))).toEqual(expected);
  });

  it('that allows compares addresses and commands with their variables filled in', async () => {
    await using folder = await tempFolder();
    await folder.write(
      USER,
      json({
        allowedMcpServers: [{ serverUrl: 'https://good.com/*' }, { serverCommand: ['npx', 'a'] }],
        mcpServers: {
          good: remote('https://${HOST}/mcp'),
          bad: remote('https://good.com.${EVIL}/mcp'),
          run: local('npx', '${NAME}'),
          other: local('npx', '${EVIL}'),
          secret: remote('https://${secret:HOST}/mcp'),
        },
      }),
    );
    const env = { HOST: 'good.com', EVIL: 'evil.com', NAME: 'a' };
    const kept = `not-allowed ${USER}:2:3 (user)`;
    expect(verdicts(folder, await read(folder, env))).toEqual({
      bad: kept,
      good: 'admitted',
      other: kept,
      run: 'admitted',
      secret: kept,
    });
  });

  it('of one source does not lift that of another, in any order', async () => {
    await using folder = await tempFolder();
    const servers = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, local(name)]));
    const allow = (...names: readonly string[]) => ({
      allowedMcpServers: names.map((serverName) => ({ serverName })),
    });
    await folder.write('etc/managed-settings.json', json(allow('a', 'b', 'c')));
    await folder.write(USER, json({ ...allow('b', 'c', 'd'), mcpServers: servers }));
    await folder.write(
      SETTINGS,
      json({ ...allow('a', 'b', 'c', 'd'), deniedMcpServers: [{ serverName: 'c' }] }),
    );
    expect(verdicts(folder, await read(folder))).toEqual({
      a: `not-allowed ${USER}:2:3 (user)`,
      b: 'admitted',
      c: `denied ${SETTINGS}:17:5 (project)`,
      d: `not-allowed etc/managed-settings.json:2:3 (enterprise)`,
    });
  });

  it('without rules allows nothing, and a missing list is no list', async () => {
    await using folder = await tempFolder();
    const mcpServers = { a: local('a'), b: remote('https://b.com') };
    await folder.write(USER, json({ mcpServers }));
    expect(verdicts(folder, await read(folder))).toEqual({ a: 'admitted', b: 'admitted' });
    await folder.write(USER, json({ allowedMcpServers: [], mcpServers }));
    const kept = `not-allowed ${USER}:2:3 (user)`;
    expect(verdicts(folder, await read(folder))).toEqual({ a: kept, b: kept });
  });

  it.each<[string, object]>([
    ['is no list', { deniedMcpServers: 'evil' }],
    ['holds something else', { deniedMcpServers: ['evil'] }],
    ['has a rule with a misspelt field', { deniedMcpServers: [{ servername: 'evil' }] }],
    ['has a rule that says two things', { allowedMcpServers: [{ serverName: 'a', extra: 1 }] }],
    ['has an address that is none', { allowedMcpServers: [{ serverUrl: 'evil' }] }],
    ['has a command that is text', { deniedMcpServers: [{ serverCommand: 'npx evil' }] }],
  ])('that %s blocks every server, with the reason', async (_what, lists) => {
    await using folder = await tempFolder();
    await folder.write(USER, json({ ...lists, mcpServers: { a: local('a') } }));
    const configuration = await read(folder);
    expect(verdicts(folder, configuration)).toEqual({
      a: expect.stringMatching(/^broken-list home\/.*:\d+:\d+ \(user\)$/),
    });
    expect(configuration.diagnostics).toMatchObject([{ severity: 'error' }]);
  });

  it('that is written twice blocks every server', async () => {
    await using folder = await tempFolder();
    const twice = '"deniedMcpServers": [{ "serverName": "evil" }],\n"deniedMcpServers": [],\n';
    const servers = json({ evil: local('x'), other: local('y') });
    await folder.write(USER, `{${twice}"mcpServers": ${servers} }`);
    expect(verdicts(folder, await read(folder))).toEqual({
      evil: `denied ${USER}:1:23 (user)`,
      other: `broken-list ${USER}:2:1 (user)`,
    });
  });
});

describe("the machine owner's files", () => {
  verifies('CFG-10');

  it.each([
    ['broken', '{ "deniedMcpServers": [ '],
    ['no object', '[]'],
    ['empty', ''],
  ])('block every server if the policies are %s', async (_what, text) => {
    await using folder = await tempFolder();
    await folder.write('etc/managed-settings.json', text);
    await folder.write(USER, json({ mcpServers: { mine: local('a') } }));
    await folder.write(PROJECT, json({ mcpServers: { ours: remote('https://a.com') } }));
    const kept = expect.stringMatching(
      /^broken-list etc\/managed-settings\.json:.* \(enterprise\)$/,
    );
    expect(verdicts(folder, await read(folder))).toEqual({ mine: kept, ours: kept });
  });

  it('block every server if a folder is in the place of the policies', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('etc/managed-settings.json');
    await folder.write(USER, json({ mcpServers: { mine: local('a') } }));
    expect(verdicts(folder, await read(folder))).toEqual({
      mine: expect.stringMatching(/^broken-list etc\/managed-settings\.json/),
    });
  });

  it('exclude all others if they list the servers, and report servers of a program', async () => {
    await using folder = await tempFolder();
    await folder.write('etc/managed-mcp.json', json({ mcpServers: { theirs: local('a') } }));
    await folder.write(USER, json({ mcpServers: { mine: local('b'), theirs: local('c') } }));
    await folder.write(PROJECT, json({ mcpServers: { ours: local('d') } }));
    await folder.write('home/.config/plugboard/plugins/p/.claude-plugin/plugin.json', '{}');
    await folder.write('home/.config/plugboard/plugins/p/.mcp.json', json({ s: local('e') }));
    await folder.mkdir('project/.git');
    const configuration = await readConfiguration({
      environment: testEnvironment(folder.path),
      enterprise: ownersFiles(folder),
      given: { given: local('f') },
    });
    expect(verdicts(folder, configuration)).toEqual({ theirs: 'admitted' });
    expect(configuration.servers[0]).toMatchObject({ scope: 'enterprise', written: local('a') });
    expect(configuration.diagnostics).toMatchObject([
      { code: 'enterprise-exclusive', server: 'given' },
    ]);
  });

  it('leave no server if the list of servers is broken', async () => {
    await using folder = await tempFolder();
    await folder.write('etc/managed-mcp.json', '{ "mcpServers": ');
    await folder.write(USER, json({ mcpServers: { mine: local('b') } }));
    const configuration = await read(folder);
    expect(verdicts(folder, configuration)).toEqual({});
    expect(configuration.diagnostics).toMatchObject([{ severity: 'error', code: 'syntax' }]);
  });
});

describe('the explanation of a server that three sources patch and the machine owner blocks', () => {
  verifies('CFG-08', 'CFG-10');

  it('has every field with its place, the overridden values, and the rule with its place', async () => {
    await using folder = await tempFolder();
    await folder.write(
      'etc/managed-settings.json',
      json({ deniedMcpServers: [{ serverCommand: ['npx', 'server', '--safe'] }] }),
    );
    await folder.write(
      USER,
      json({ mcpServers: { s: { ...local('npx', 'server'), env: { A: '1', B: '2' } } } }),
    );
    await folder.write(PROJECT, json({ mcpServers: { s: { args: ['server', '${MODE}'] } } }));
    await folder.write(
      'project/.plugboard/settings.local.json',
      json({ mcpServers: { s: { env: { B: '3' } } } }),
    );
    const { servers, explain } = await read(folder, { MODE: '--safe' });
    const at = (file: string, line: number, column: number) => ({
      kind: 'file',
      file: join(folder.path, file),
      line,
      column,
    });
    expect(servers.map(({ name, admission }) => ({ name, admission }))).toEqual([
      {
        name: 's',
        admission: {
          kind: 'blocked',
          rule: {
            kind: 'denied',
            scope: 'enterprise',
            rule: {
              kind: 'command',
              argv: ['npx', 'server', '--safe'],
              origin: at('etc/managed-settings.json', 3, 5),
            },
          },
        },
      },
    ]);
    const here = {
      scope: 'local',
      folder: join(folder.path, 'project'),
      author: 'folder',
    };
    const project = {
      scope: 'project',
      folder: join(folder.path, 'project'),
      author: 'folder',
    };
    const user = { scope: 'user', folder: join(folder.path, 'home'), author: 'user' };
    expect(explain('s')).toEqual([
      {
        path: ['env', 'B'],
        value: '3',
        rule: 'strongest',
        from: [{ ...here, value: '3', origin: at('project/.plugboard/settings.local.json', 5, 9) }],
        lost: [{ ...user, value: '2', why: 'weaker', origin: at(USER, 10, 9) }],
      },
      {
        path: ['args'],
        value: ['server', '${MODE}'],
        rule: 'strongest',
        from: [{ ...project, value: ['server', '${MODE}'], origin: at(PROJECT, 4, 7) }],
        lost: [{ ...user, value: ['server'], why: 'weaker', origin: at(USER, 5, 7) }],
      },
      {
        path: ['command'],
        value: 'npx',
        rule: 'strongest',
        from: [{ ...user, value: 'npx', origin: at(USER, 4, 7) }],
        lost: [],
      },
      {
        path: ['env', 'A'],
        value: '1',
        rule: 'strongest',
        from: [{ ...user, value: '1', origin: at(USER, 9, 9) }],
        lost: [],
      },
    ]);
  });
});
