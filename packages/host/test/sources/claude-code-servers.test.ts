import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/admission/index.ts';
import { type Configuration, loadConfig, type LoadOptions } from '../../src/sources/load-config.ts';
import { testEnvironment } from '../config/test-environment.ts';

const FILE = 'home/.claude.json';

type Options = Omit<LoadOptions, 'environment'> & Parameters<typeof testEnvironment>[1];

function load(folder: TempFolder, options: Options = {}): Promise<Configuration> {
  const { cwd, env, ...rest } = options;
  const changes = { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) };
  return loadConfig({
    environment: testEnvironment(folder.path, changes),
    enterprise: [],
    ...rest,
  });
}

/** A project below a git root, with servers of Claude Code for it. */
async function withClaudeCode(content: (root: string) => unknown): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  const written = content(join(folder.path, 'project'));
  await folder.write(FILE, typeof written === 'string' ? written : JSON.stringify(written));
  return folder;
}

function runs({ servers }: Pick<Configuration, 'servers'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    servers.map(({ name, scope, written }) => [
      name,
      [scope, 'command' in written ? written.command : 'url' in written ? written.url : ''],
    ]),
  );
}

describe('the servers of Claude Code', () => {
  verifies('CFG-01', 'CFG-02', 'CFG-17');

  it('are used without an import or an approval, those of the project before those of the user', async () => {
    await using folder = await withClaudeCode((root) => ({
      numStartups: 812,
      mcpServers: {
        a: { type: 'stdio', command: 'user-a', args: [], env: {} },
        b: { type: 'stdio', command: 'user-b' },
        web: { type: 'http', url: 'https://example.com/mcp' },
      },
      projects: {
        [root]: { allowedTools: [], mcpServers: { b: { command: 'project-b' } } },
        '/elsewhere': { mcpServers: { c: { command: 'other' } } },
      },
    }));
    const environment = testEnvironment(folder.path);
    const { servers, diagnostics } = await readConfiguration({ environment, enterprise: [] });
    expect(diagnostics).toEqual([]);
    expect(runs({ servers })).toEqual({
      a: ['claude-code', 'user-a'],
      b: ['claude-code', 'project-b'],
      web: ['claude-code', 'https://example.com/mcp'],
    });
    expect(servers.map(({ admission }) => admission.kind)).toEqual([
      'admitted',
      'admitted',
      'admitted',
    ]);
  });

  it('of the project are found from a subfolder, by the top of the project or by that folder', async () => {
    await using folder = await withClaudeCode((root) => ({
      projects: {
        [root]: { mcpServers: { a: { command: 'top' }, b: { command: 'top' } } },
        [join(root, 'sub')]: { mcpServers: { b: { command: 'sub' } } },
      },
    }));
    const cwd = await folder.mkdir('project/sub');
    expect(runs(await load(folder, { cwd }))).toEqual({
      a: ['claude-code', 'top'],
      b: ['claude-code', 'sub'],
    });
  });

  it('have the line and column of their definition', async () => {
    await using folder = await withClaudeCode(
      () => '{\n  "tips": {},\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}',
    );
    const configuration = await load(folder);
    const file = join(folder.path, FILE);
    expect(configuration.servers.map(({ origin }) => origin)).toEqual([
      { kind: 'file', file, line: 4, column: 5 },
    ]);
    expect(configuration.explain('a').map(({ path, from }) => [path, from[0]?.origin])).toEqual([
      [['command'], { kind: 'file', file, line: 5, column: 7 }],
    ]);
  });

  it('are weaker than those of the user’s settings and stronger than those of plugins', async () => {
    await using folder = await withClaudeCode(() => ({
      mcpServers: {
        a: { command: 'claude', env: { KEY: '1' } },
        b: { command: 'claude' },
        'plugin:p:s': { timeout: 5000 },
      },
    }));
    await folder.write(
      'home/.config/plugboard/settings.json',
      JSON.stringify({ mcpServers: { a: { command: 'mine' }, b: { disabled: true } } }),
    );
    const plugin = 'home/.config/plugboard/plugins/p';
    await folder.write(`${plugin}/.claude-plugin/plugin.json`, '{ "name": "p" }');
    await folder.write(`${plugin}/.mcp.json`, '{ "s": { "command": "brought", "timeout": 7000 } }');
    const configuration = await load(folder);
    expect(
      configuration.servers.map(({ name, scope, written }) => ({
        name,
        scope,
        disabled: written.disabled,
        timeout: written.timeout,
      })),
    ).toEqual([
      { name: 'a', scope: 'user', disabled: false, timeout: undefined },
      { name: 'b', scope: 'claude-code', disabled: true, timeout: undefined },
      { name: 'plugin:p:s', scope: 'plugin', disabled: false, timeout: 5000 },
    ]);
  });

  it('are in the folder that $CLAUDE_CONFIG_DIR names', async () => {
    await using folder = await tempFolder();
    await folder.write('there/.claude.json', '{ "mcpServers": { "a": { "command": "x" } } }');
    const env = { CLAUDE_CONFIG_DIR: join(folder.path, 'there') };
    expect(runs(await load(folder, { env }))).toEqual({ a: ['claude-code', 'x'] });
  });

  it('need an approval if their file is in the project', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    await folder.write('project/.claude.json', '{ "mcpServers": { "a": { "command": "x" } } }');
    const env = { CLAUDE_CONFIG_DIR: join(folder.path, 'project') };
    const environment = testEnvironment(folder.path, { env });
    const { servers } = await readConfiguration({ environment, enterprise: [] });
    expect(servers.map(({ admission }) => admission.kind)).toEqual(['untrusted']);
  });

  it.each([
    ['a user’s setting', 'home/.config/plugboard/settings.json', {}],
    ['a project’s setting', 'project/.plugboard/settings.json', {}],
    ['a variable', undefined, { PLUGBOARD_CLAUDE_CODE: 'off' }],
  ])('are left out by %s', async (_, path, env) => {
    await using folder = await withClaudeCode(() => ({ mcpServers: { a: { command: 'x' } } }));
    if (path !== undefined) await folder.write(path, '{ "discover": { "claudeCode": false } }');
    const { servers, files, diagnostics } = await load(folder, { env });
    expect([servers, diagnostics]).toEqual([[], []]);
    expect(files.some(({ scope }) => scope === 'claude-code')).toBe(false);
  });

  it('are left out by an invalid setting, which is an error', async () => {
    await using folder = await withClaudeCode(() => ({ mcpServers: { a: { command: 'x' } } }));
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "discover": { "claudeCode": "no" } }',
    );
    const { servers, diagnostics } = await load(folder);
    expect([servers, diagnostics.map(({ code }) => code)]).toEqual([[], ['wrong-type']]);
  });

  it('are not read if the machine’s owner decides alone, or files are left out', async () => {
    await using folder = await withClaudeCode(() => ({ mcpServers: { a: { command: 'x' } } }));
    const path = await folder.write('owner.json', '{}');
    const owner = { path, scope: 'enterprise', format: 'managed', folder: folder.path } as const;
    expect((await load(folder, { enterprise: [owner] })).servers).toEqual([]);
    expect((await load(folder, { files: 'none' })).servers).toEqual([]);
    expect((await load(folder, { mcpConfigCounts: 'only' })).servers).toEqual([]);
  });
});

describe('a file of Claude Code', () => {
  verifies('CFG-17');

  it('has no effect if it is missing or empty', async () => {
    await using folder = await tempFolder();
    expect((await load(folder)).diagnostics).toEqual([]);
    await folder.write(FILE, '');
    expect((await load(folder)).diagnostics).toEqual([]);
  });

  it.each(['{ "mcpServers": {', '{ "mcpServers": { "a": { "command" } } }', 'no json', '[]'])(
    'with %j is a warning, and the other servers load',
    async (text) => {
      await using folder = await withClaudeCode(() => text);
      await folder.write('project/.mcp.json', '{ "mcpServers": { "b": { "command": "y" } } }');
      const { servers, files, diagnostics } = await load(folder);
      expect(servers.map(({ name }) => name)).toEqual(['b']);
      expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
        ['warning', 'syntax'],
      ]);
      expect(files.find(({ scope }) => scope === 'claude-code')?.state).toBe('invalid');
    },
  );

  it('with a broken entry yields a warning with its place, and the other entries', async () => {
    await using folder = await withClaudeCode(
      () => '{ "mcpServers": { "a": { "command": 5 }, "b": { "command": "y" } } }',
    );
    const { servers, rejected, diagnostics } = await load(folder);
    expect([servers.map(({ name }) => name), rejected.map(({ name }) => name)]).toEqual([
      ['b'],
      ['a'],
    ]);
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'wrong-type', line: 1, server: 'a' },
    ]);
  });

  it('of more than 64 MiB is a warning', async () => {
    await using folder = await withClaudeCode(() => '{}');
    await truncate(join(folder.path, FILE), 64 * 1024 * 1024 + 1);
    expect((await load(folder)).diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['warning', 'file-too-large'],
    ]);
  });

  it('is not watched, and a check tells whether its servers changed', async () => {
    await using folder = await withClaudeCode(() => ({ mcpServers: { a: { command: 'x' } } }));
    const { watched, busy } = await load(folder);
    expect(watched).not.toContain(join(folder.path, FILE));
    expect(busy?.path).toBe(join(folder.path, FILE));
    const write = (content: object): Promise<string> => folder.write(FILE, JSON.stringify(content));
    await write({ numStartups: 2, mcpServers: { a: { command: 'x' } } });
    expect(await busy?.look()).toBe(busy?.signature);
    await folder.write(FILE, '{ "mcpSer');
    expect(await busy?.look()).toBe(undefined);
    await write({ mcpServers: { a: { command: 'z' } } });
    expect(await busy?.look()).not.toBe(busy?.signature);
  });
});
