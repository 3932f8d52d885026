import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/admission/index.ts';
import type { ConfigFile } from '../../src/config/index.ts';
import { type Configuration, loadConfig, type LoadOptions } from '../../src/sources/load-config.ts';
import { testEnvironment } from '../config/test-environment.ts';

const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

function load(
  folder: TempFolder,
  options: Omit<LoadOptions, 'environment'> = {},
): Promise<Configuration> {
  return loadConfig({ environment: testEnvironment(folder.path), enterprise: [], ...options });
}

/** The command of each server. */
function commandsOf({ servers: found }: Pick<Configuration, 'servers'>): object {
  return Object.fromEntries(
    found.map(({ name, written }) => [name, 'command' in written ? written.command : written.kind]),
  );
}

/** A folder in which the project, the user and the machine's owner each have a server. */
async function configured(): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  await folder.write('project/.mcp.json', servers({ a: { command: 'project' } }));
  await folder.write(
    'home/.config/plugboard/settings.json',
    JSON.stringify({
      mcpServers: { b: { command: 'user' } },
      deniedMcpServers: [{ serverName: 'denied' }],
      permissions: { deny: ['mcp__b__drop'] },
    }),
  );
  return folder;
}

function owner(folder: TempFolder, format: 'managed' | 'policy'): readonly ConfigFile[] {
  const path = join(folder.path, 'owner.json');
  return [{ path, scope: 'enterprise', format, folder: folder.path }];
}

describe('servers given with --mcp-config', () => {
  verifies('CFG-01', 'CFG-16');

  it('are stronger than those of every file, whether in a file or as JSON', async () => {
    await using folder = await configured();
    const file = await folder.write('elsewhere/named.json', servers({ a: { command: 'named' } }));
    const { servers: found } = await load(folder, {
      mcpConfig: [file, servers({ b: { command: 'inline' } })],
    });
    expect(found.map(({ name, scope, origin }) => ({ name, scope, origin }))).toEqual([
      { name: 'a', scope: 'dynamic', origin: { kind: 'file', file, line: 1, column: 16 } },
      { name: 'b', scope: 'dynamic', origin: { kind: 'given', by: '--mcp-config' } },
    ]);
    expect(commandsOf({ servers: found })).toEqual({ a: 'named', b: 'inline' });
  });

  it('are resolved from the working directory, with relative paths from their own folder', async () => {
    await using folder = await configured();
    await folder.write('project/sub/named.json', servers({ n: { command: 'n', cwd: 'there' } }));
    const { servers: found } = await load(folder, { mcpConfig: ['sub/named.json'] });
    expect(found.find(({ name }) => name === 'n')?.resolved).toMatchObject({
      kind: 'ready',
      entry: { cwd: join(folder.path, 'project/sub/there') },
    });
  });

  it('may be a bare map, and of two with the same name the later one counts', async () => {
    await using folder = await configured();
    const mcpConfig = ['{ "n": { "command": "first" } }', '{ "n": { "command": "second" } }'];
    expect(commandsOf(await load(folder, { mcpConfig }))).toMatchObject({ n: 'second' });
  });

  it('are the only ones in strict mode, while settings still count', async () => {
    await using folder = await configured();
    const found = await load(folder, {
      mcpConfig: [servers({ n: { command: 'named' } })],
      mcpConfigCounts: 'only',
    });
    expect(commandsOf(found)).toEqual({ n: 'named' });
    expect(found.policies.map(({ kind }) => kind)).toEqual(['deny']);
    expect(found.permissions.flatMap(({ rules }) => rules)).toHaveLength(1);
  });

  it('are none in strict mode without any given', async () => {
    await using folder = await configured();
    await folder.write('project/.mcp.json', '{ broken');
    const found = await load(folder, { mcpConfigCounts: 'only' });
    expect([found.servers, found.rejected, found.diagnostics]).toEqual([[], [], []]);
  });

  it('leave no connector to be called in strict mode', async () => {
    await using folder = await configured();
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "connectors": { "c": { "url": "https://c.example/list" } } }',
    );
    expect((await load(folder)).connectors).toHaveLength(1);
    expect((await load(folder, { mcpConfigCounts: 'only' })).connectors).toEqual([]);
  });

  it('start without an approval, even from a file of the project', async () => {
    await using folder = await configured();
    await folder.write('project/named.json', servers({ n: { command: 'named' } }));
    const { servers: found } = await readConfiguration({
      environment: testEnvironment(folder.path),
      enterprise: [],
      mcpConfig: ['named.json'],
    });
    expect(found.map(({ name, admission }) => [name, admission.kind])).toEqual([
      ['a', 'untrusted'],
      ['b', 'admitted'],
      ['n', 'admitted'],
    ]);
  });

  it('receive nothing from a file of the project that patches a server of that name', async () => {
    await using folder = await configured();
    await folder.write('project/.mcp.json', servers({ n: { env: { NODE_OPTIONS: '-r ./x.js' } } }));
    const { servers: found } = await readConfiguration({
      environment: testEnvironment(folder.path),
      enterprise: [],
      mcpConfig: [servers({ n: { command: 'named' } })],
    });
    expect(found.find(({ name }) => name === 'n')?.admission.kind).toBe('admitted');
    expect(found.find(({ name }) => name === 'n')?.resolved).toMatchObject({ entry: { env: {} } });
  });

  it('are blocked by a deny list', async () => {
    await using folder = await configured();
    const { servers: found } = await readConfiguration({
      environment: testEnvironment(folder.path),
      enterprise: [],
      mcpConfig: [servers({ denied: { command: 'named' } })],
      mcpConfigCounts: 'only',
    });
    expect(found.map(({ name, admission }) => [name, admission.kind])).toEqual([
      ['denied', 'blocked'],
    ]);
  });

  it('are left out if the machine’s owner decides alone', async () => {
    await using folder = await configured();
    await folder.write('owner.json', servers({ o: { command: 'owner' } }));
    const found = await load(folder, {
      enterprise: owner(folder, 'managed'),
      mcpConfig: [servers({ n: { type: 'sdk' }, m: { command: 'named' } })],
    });
    expect(commandsOf(found)).toEqual({ o: 'owner' });
    expect(found.diagnostics.map(({ code, server }) => [code, server])).toEqual([
      ['enterprise-exclusive', 'n'],
      ['enterprise-exclusive', 'm'],
    ]);
  });

  it('keep the settings of the machine’s owner about them, in strict mode', async () => {
    await using folder = await configured();
    await folder.write(
      'owner.json',
      servers({ n: { tools: { exclude: ['drop'] } }, o: { command: 'owner' } }),
    );
    const { servers: found } = await load(folder, {
      enterprise: owner(folder, 'policy'),
      mcpConfig: [servers({ n: { command: 'named' } })],
      mcpConfigCounts: 'only',
    });
    expect(found.map(({ name, written }) => [name, written.tools])).toEqual([
      ['n', { exclude: ['drop'] }],
    ]);
  });
});

describe('a mistake in --mcp-config', () => {
  verifies('CFG-06', 'CFG-16');

  const about = (diagnostics: Configuration['diagnostics']) =>
    diagnostics.map(({ severity, code, file, line, column }) => ({
      severity,
      code,
      at: line === 0 ? file : `${file}:${line}:${column}`,
    }));

  it.each([
    ['{ "mcpServers": [] }', 'wrong-type', '1:17'],
    ['{ "n": { "command": } }', 'syntax', '1:21'],
    ['{\n  "n": { "command": 5 }\n}', 'wrong-type', '2:21'],
    ['{\n  "n": "npx"\n}', 'wrong-type', '2:8'],
  ])('is reported with line and column, for %j', async (text, code, at) => {
    await using folder = await configured();
    const file = await folder.write('elsewhere/named.json', text);
    const inFile = await load(folder, { mcpConfig: [file], mcpConfigCounts: 'only' });
    const inline = await load(folder, { mcpConfig: [text], mcpConfigCounts: 'only' });
    expect(about(inFile.diagnostics)).toEqual([{ severity: 'error', code, at: `${file}:${at}` }]);
    expect(about(inline.diagnostics)).toEqual([
      { severity: 'error', code, at: `--mcp-config:${at}` },
    ]);
  });

  it('is an error if the file does not exist, is a folder or is empty', async () => {
    await using folder = await configured();
    await folder.write('project/empty.json', '');
    for (const [named, code] of [
      ['missing.json', 'file-unreadable'],
      ['.git', 'file-is-folder'],
      ['empty.json', 'file-empty'],
      ['', 'file-is-folder'],
    ] as const) {
      const { diagnostics, files } = await load(folder, { mcpConfig: [named] });
      expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
      expect(files.find(({ scope }) => scope === 'dynamic')?.state).toBe('invalid');
    }
  });

  it('is reported for settings beside the servers, which have no effect there', async () => {
    await using folder = await configured();
    const { permissions, diagnostics } = await load(folder, {
      files: 'none',
      mcpConfig: ['{ "mcpServers": {}, "permissions": { "allow": ["*"] } }'],
    });
    expect(permissions).toEqual([]);
    expect(about(diagnostics)).toEqual([
      { severity: 'warning', code: 'unused-key', at: '--mcp-config:1:21' },
    ]);
  });
});
