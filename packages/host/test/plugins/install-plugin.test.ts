import { readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok } from '@plugboard/base';
import { type TempFolder, tempFolder, verifies, type ZipEntry, zipOf } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  bundleQuestions,
  configurePlugin,
  installPlugin,
  pluginSources,
  removePlugin,
  stagePlugin,
} from '../../src/plugins/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { runs } from './bundle/bundle.ts';

const PLUGINS = 'home/.config/plugboard/plugins';

/** A store of secrets that stores or refuses them. */
function secretsIn(kept: Map<string, string>) {
  return {
    set: async (name: string, value: string) => {
      if (value === 'refused') return err('full');
      kept.set(name, value);
      return ok(undefined);
    },
    remove: async (name: string) => void kept.delete(name),
  };
}

const ASKING = runs(
  { args: ['${user_config.folder}'], env: { KEY: '${user_config.key}' } },
  {
    folder: { type: 'directory', title: 'Folder', required: true },
    key: { type: 'string', title: 'Key', sensitive: true },
  },
);

interface Place {
  readonly folder: TempFolder;
  readonly environment: ReturnType<typeof testEnvironment>;
  readonly kept: Map<string, string>;
  readonly secrets: ReturnType<typeof secretsIn>;
  bundle(name: string, entries?: readonly ZipEntry[]): Promise<string>;
}

async function place(folder: TempFolder): Promise<Place> {
  await folder.mkdir('project/.git');
  const kept = new Map<string, string>();
  const file: ZipEntry = { name: 'manifest.json', data: JSON.stringify(ASKING) };
  return {
    folder,
    kept,
    environment: testEnvironment(folder.path),
    secrets: secretsIn(kept),
    async bundle(name, entries = [file, { name: 'server/index.js', data: '// x' }]) {
      const path = join(folder.path, 'project', name);
      await writeFile(path, zipOf(entries));
      return path;
    },
  };
}

async function installed({ folder }: Place): Promise<readonly string[]> {
  const names = await readdir(join(folder.path, PLUGINS)).catch((): string[] => []);
  return names.toSorted();
}

async function entriesOf({ environment }: Place): Promise<readonly unknown[]> {
  const sources = await pluginSources(environment);
  return sources.flatMap(({ servers }) =>
    servers.map(({ name, value, broken }) => [name, value, broken?.code]),
  );
}

describe('installing a bundle', () => {
  verifies('CFG-09');

  it('unpacks it, stores the answers in a file of the user and secrets in the store', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets, kept } = here;
    await here.bundle('files.mcpb');
    const values = { folder: 'docs', key: 's3cret ${HOME}' };
    const root = join(folder.path, PLUGINS, 'files');
    expect(await installPlugin({ source: 'files.mcpb', environment, values, secrets })).toEqual(
      ok({
        kind: 'installed',
        name: 'files',
        folder: root,
        servers: [
          {
            name: 'plugin:files:files',
            command: ['node', join(folder.path, 'project/docs')],
            url: undefined,
            variables: ['KEY'],
            headers: [],
          },
        ],
      }),
    );
    expect(await installed(here)).toEqual(['files', 'files.values.json']);
    expect(await folder.read(`${PLUGINS}/files/server/index.js`)).toBe('// x');
    expect([...kept]).toEqual([['plugin.files.key', 's3cret ${HOME}']]);
    const stored = join(folder.path, PLUGINS, 'files.values.json');
    expect((await stat(stored)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await folder.read(`${PLUGINS}/files.values.json`))).toEqual({
      values: { folder: join(folder.path, 'project/docs') },
      secrets: ['key'],
    });
    expect(await entriesOf(here)).toEqual([
      [
        'plugin:files:files',
        {
          command: 'node',
          args: [join(folder.path, 'project/docs')],
          env: { KEY: '${secret:plugin.files.key}' },
          cwd: root,
        },
        undefined,
      ],
    ]);
  });

  it('first shows what it would run and ask, and leaves nothing if cancelled', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment } = here;
    const source = await here.bundle('files.dxt');
    const staged = await stagePlugin({ source, environment });
    if (!staged.ok) throw new Error(staged.error.kind);
    {
      await using plugin = staged.value;
      const { name, version, description, servers, questions, missing } = plugin;
      expect({ name, version, description, servers }).toEqual({
        name: 'files',
        version: '1.2.0',
        description: 'Reads files',
        servers: [
          {
            name: 'plugin:files:files',
            command: ['node', '${user_config.folder}'],
            url: undefined,
            variables: ['KEY'],
            headers: [],
          },
        ],
      });
      expect(questions.map((question) => question.name)).toEqual(['folder', 'key']);
      expect(missing.map((question) => question.name)).toEqual(['folder']);
    }
    expect(await installed(here)).toEqual([]);
    const asked = await bundleQuestions({ source, environment });
    expect(asked.ok && asked.value.map(({ title }) => title)).toEqual(['Folder', 'Key']);
    expect(await installed(here)).toEqual([]);
  });

  it.for([
    [{}, { kind: 'missing-answers', questions: [expect.objectContaining({ name: 'folder' })] }],
    [
      { folder: '' },
      { kind: 'bad-answer', key: 'folder', problem: { kind: 'wrong-type', wanted: 'path' } },
    ],
    [
      { folder: 'x', colour: 'red' },
      { kind: 'unknown-key', key: 'colour', keys: ['folder', 'key'] },
    ],
    [
      { folder: 'x', key: 'refused' },
      { kind: 'secret-not-kept', key: 'key' },
    ],
  ] as const)('with the answers %j leaves nothing', async ([values, error]) => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    const source = await here.bundle('files.mcpb');
    expect(await installPlugin({ source, environment, values, secrets })).toEqual(err(error));
    expect(await installed(here)).toEqual([]);
  });

  it('refuses one that reaches out of its folder, is broken, or is not a bundle', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    const sources = [
      await here.bundle('evil.mcpb', [{ name: '../../settings.json', data: '{}' }]),
      await here.bundle('empty.mcpb', []),
      await here.bundle('odd.mcpb', [
        { name: 'manifest.json', data: '{"manifest_version": "0.3"}' },
      ]),
      await here.bundle('files.zip'),
      'nowhere.mcpb',
    ];
    const tried = [];
    for (const source of sources) {
      const result = await installPlugin({ source, environment, values: {}, secrets });
      tried.push(result.ok ? result : result.error);
    }
    const at = (file: string) =>
      expect.objectContaining({ file: join(folder.path, 'project', file) });
    expect(tried).toEqual([
      { kind: 'refused', entry: '../../settings.json', reason: 'leaves-folder' },
      { kind: 'invalid-plugin', diagnostics: [at('empty.mcpb')] },
      {
        kind: 'invalid-plugin',
        diagnostics: [at('odd.mcpb/manifest.json'), at('odd.mcpb/manifest.json')],
      },
      { kind: 'not-a-plugin' },
      { kind: 'missing' },
    ]);
    expect(await installed(here)).toEqual([]);
  });

  it('refuses a second one of that name, in any letter case, unless it replaces the first', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    await installPlugin({
      source: await here.bundle('a.mcpb'),
      environment,
      values: { folder: '/x' },
      secrets,
    });
    const newer = { ...ASKING, name: 'Files', version: '2.0.0' };
    const source = await here.bundle('b.mcpb', [
      { name: 'manifest.json', data: JSON.stringify(newer) },
    ]);
    const again = { source, environment, secrets };
    expect(await installPlugin({ ...again, values: { folder: '/y' } })).toEqual(
      err({ kind: 'exists' }),
    );
    const replaced = await installPlugin({
      ...again,
      values: { folder: '/y' },
      replace: 'overwrite',
    });
    expect(replaced).toMatchObject({ ok: true, value: { kind: 'replaced', name: 'Files' } });
    expect((await pluginSources(environment)).map(({ plugin }) => plugin)).toEqual(['Files']);
  });

  it('uses no answers of a removed plugin, even if it needs none', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    const easy = runs(
      { env: { KEY: '${user_config.key}' } },
      { key: { type: 'string', sensitive: true } },
    );
    const source = await here.bundle('a.mcpb', [
      { name: 'manifest.json', data: JSON.stringify(easy) },
    ]);
    await folder.write(`${PLUGINS}/files.values.json`, JSON.stringify({ secrets: ['key'] }));
    expect((await installPlugin({ source, environment, values: {}, secrets })).ok).toBe(true);
    expect(await entriesOf(here)).toMatchObject([['plugin:files:files', { env: {} }, undefined]]);
    expect(JSON.stringify(await entriesOf(here))).not.toContain('secret:');
  });

  it('keeps the answers when it replaces one, but uses none of a removed plugin', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    const source = await here.bundle('a.mcpb');
    const left = JSON.stringify({ values: { folder: '/old' }, secrets: ['key'] });
    await folder.write(`${PLUGINS}/files.values.json`, left);
    const first = await installPlugin({ source, environment, values: {}, secrets });
    expect(first).toMatchObject({ ok: false, error: { kind: 'missing-answers' } });
    await installPlugin({ source, environment, values: { folder: '/new' }, secrets });
    const replaced = await installPlugin({
      source,
      environment,
      values: {},
      secrets,
      replace: 'overwrite',
    });
    expect(replaced).toMatchObject({ ok: true, value: { kind: 'replaced' } });
    expect(JSON.parse(await folder.read(`${PLUGINS}/files.values.json`))).toEqual({
      values: { folder: '/new' },
      secrets: [],
    });
  });
});

describe('installing a plugin folder', () => {
  verifies('CFG-09');

  it('copies the folder without its history', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    await folder.write('project/tools/.claude-plugin/plugin.json', '{"name": "tools"}');
    await folder.write(
      'project/tools/.mcp.json',
      '{"s": {"command": "${CLAUDE_PLUGIN_ROOT}/run"}}',
    );
    await folder.write('project/tools/.git/config', 'x');
    const done = await installPlugin({ source: 'tools', environment, values: {}, secrets });
    expect(done).toMatchObject({ ok: true, value: { kind: 'installed', name: 'tools' } });
    expect((await readdir(join(folder.path, PLUGINS, 'tools'))).toSorted()).toEqual([
      '.claude-plugin',
      '.mcp.json',
    ]);
    expect(await installed(here)).toEqual(['tools']);
  });

  it('refuses links that lead out of it, and broken servers', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets } = here;
    await folder.write('project/a/plugin.json', '{"name": "a"}');
    await symlink('/etc', join(folder.path, 'project/a/etc'));
    await folder.write('project/b/plugin.json', '{"name": "b"}');
    await folder.write('project/b/.mcp.json', '{"s": {"command" "x"}}');
    const [a, b] = [
      await installPlugin({ source: 'a', environment, values: {}, secrets }),
      await installPlugin({ source: 'b', environment, values: {}, secrets }),
    ];
    expect(a).toEqual(err({ kind: 'refused', entry: 'etc', reason: 'link-leaves' }));
    expect(b).toMatchObject({
      ok: false,
      error: {
        kind: 'invalid-plugin',
        diagnostics: [{ file: join(folder.path, 'project/b/.mcp.json') }],
      },
    });
    expect(await installed(here)).toEqual([]);
  });
});

describe('an installed plugin', () => {
  verifies('CFG-09');

  it('accepts more answers later, over the earlier ones', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets, kept } = here;
    await folder.write(`${PLUGINS}/files/manifest.json`, JSON.stringify(ASKING));
    const configure = (values: Record<string, unknown>) =>
      configurePlugin({ name: 'files', environment, values, secrets });
    expect(await configure({ key: 'k' })).toMatchObject({
      ok: false,
      error: { kind: 'missing-answers' },
    });
    expect([...kept]).toEqual([]);
    expect(await configure({ folder: '/a' })).toEqual(ok({ kind: 'configured' }));
    expect(await configure({ key: 'k' })).toEqual(ok({ kind: 'configured' }));
    expect([...kept]).toEqual([['plugin.files.key', 'k']]);
    expect(JSON.parse(await folder.read(`${PLUGINS}/files.values.json`))).toEqual({
      values: { folder: '/a' },
      secrets: ['key'],
    });
    expect(await configurePlugin({ name: 'file', environment, values: {}, secrets })).toEqual(
      err({ kind: 'not-installed', names: ['files'] }),
    );
  });

  it('is removed with its answers and its secrets, and nothing else', async () => {
    await using folder = await tempFolder();
    const here = await place(folder);
    const { environment, secrets, kept } = here;
    kept.set('plugin.other.key', 'stays');
    const values = { folder: '/x', key: 'goes' };
    await installPlugin({ source: await here.bundle('a.mcpb'), environment, values, secrets });
    await folder.write(`${PLUGINS}/other/plugin.json`, '{"name": "other"}');
    await folder.write(`${PLUGINS}/packed.mcpb`, 'zip');
    await folder.write('project/.plugboard/plugins/theirs/plugin.json', '{"name": "theirs"}');
    const root = join(folder.path, PLUGINS);
    expect(await removePlugin({ name: 'files', environment, secrets })).toEqual(
      ok({ kind: 'removed', folder: join(root, 'files') }),
    );
    expect([...kept.keys()]).toEqual(['plugin.other.key']);
    expect(await installed(here)).toEqual(['other', 'packed.mcpb']);
    // A bundle that only lies there is all that goes by its name.
    expect((await removePlugin({ name: 'packed', environment, secrets })).ok).toBe(true);
    expect(await installed(here)).toEqual(['other']);
    expect(await removePlugin({ name: 'theirs', environment, secrets })).toEqual(
      err({ kind: 'not-installed', names: ['other'] }),
    );
  });
});
