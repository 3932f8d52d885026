import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { pluginSources } from '../../src/plugins/plugin-sources.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { manifestOf, runs } from './bundle/bundle.ts';

const USER = 'home/.config/plugboard/plugins';
const PROJECT = 'project/.plugboard/plugins';

async function sources(folder: TempFolder) {
  await folder.mkdir('project/.git');
  const found = await pluginSources(testEnvironment(folder.path));
  return found.map(({ servers, ...source }) => ({
    ...source,
    // Converts positions to text, so that whole values can be compared.
    servers: servers.map(({ keyAt, valueAt: _, ...server }) => {
      const { file, line, column } = keyAt([]);
      return { ...server, at: `${file.slice(folder.path.length + 1)}:${line}:${column}` };
    }),
  }));
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

describe('the servers of installed plugins', () => {
  verifies('CFG-09');

  it('are none without plugins', async () => {
    await using folder = await tempFolder();
    expect(await sources(folder)).toEqual([]);
  });

  it('are read from the file beside the manifest, and named after both', async () => {
    await using folder = await tempFolder();
    const root = join(folder.path, USER, 'tools');
    await folder.write(`${USER}/tools/.claude-plugin/plugin.json`, '{"name": "tools"}');
    const run = { command: '${CLAUDE_PLUGIN_ROOT}/run', args: ['${PLUGIN_ROOT}/x'] };
    await folder.write(`${USER}/tools/.mcp.json`, json({ db: run, web: { url: 'https://x.y' } }));
    expect(await sources(folder)).toEqual([
      {
        plugin: 'tools',
        file: join(root, '.claude-plugin/plugin.json'),
        folder: root,
        from: 'user',
        servers: [
          { name: 'plugin:tools:db', value: run, at: `${USER}/tools/.mcp.json:2:3` },
          {
            name: 'plugin:tools:web',
            value: { url: 'https://x.y' },
            at: `${USER}/tools/.mcp.json:8:3`,
          },
        ],
        diagnostics: [],
        variables: { CLAUDE_PLUGIN_ROOT: root, PLUGIN_ROOT: root },
      },
    ]);
  });

  it('may be in the manifest, or in files that it names', async () => {
    await using folder = await tempFolder();
    await folder.write(
      `${USER}/a/plugin.json`,
      json({ name: 'a', mcpServers: { x: { command: 'x' }, codebase: { command: 'c' } } }),
    );
    await folder.write(
      `${USER}/a/.mcp.json`,
      json({ mcpServers: { x: { command: 'weaker' }, y: { command: 'y' } } }),
    );
    await folder.write(
      `${USER}/b/.plugboard-plugin/plugin.json`,
      json({ name: 'b', mcpServers: './conf/servers.json' }),
    );
    await folder.write(`${USER}/b/conf/servers.json`, json({ z: { command: 'z' } }));
    await folder.write(
      `${USER}/c/plugin.json`,
      json({ name: 'c', mcpServers: ['./.mcp.json', '${CLAUDE_PLUGIN_ROOT}/more.json'] }),
    );
    await folder.write(`${USER}/c/.mcp.json`, json({ p: { command: 'p' } }));
    await folder.write(`${USER}/c/more.json`, json({ mcpServers: { q: { command: 'q' } } }));
    const found = await sources(folder);
    expect(found.map(({ servers }) => servers.map(({ name, at }) => [name, at]))).toEqual([
      [
        ['plugin:a:x', `${USER}/a/plugin.json:4:5`],
        ['plugin:a:y', `${USER}/a/.mcp.json:6:5`],
        ['plugin:a:codebase', `${USER}/a/plugin.json:7:5`],
      ],
      [['plugin:b:z', `${USER}/b/conf/servers.json:2:3`]],
      [
        ['plugin:c:p', `${USER}/c/.mcp.json:2:3`],
        ['plugin:c:q', `${USER}/c/more.json:3:5`],
      ],
    ]);
    expect(found.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  });

  it('may come with the project, and then never replace those of the user', async () => {
    await using folder = await tempFolder();
    const plugin = (name: string) => json({ name, mcpServers: { s: { command: name } } });
    await folder.write(`${USER}/mine/plugin.json`, plugin('mine'));
    await folder.write(`${PROJECT}/theirs/plugin.json`, plugin('theirs'));
    await folder.write(`${PROJECT}/evil/plugin.json`, plugin('Mine'));
    const found = await sources(folder);
    expect(found.map(({ plugin: name, from, servers }) => [name, from, servers.length])).toEqual([
      ['mine', 'user', 1],
      ['Mine', 'project', 0],
      ['theirs', 'project', 1],
    ]);
    expect(found.flatMap(({ diagnostics }) => diagnostics)).toEqual([
      {
        severity: 'warning',
        code: 'plugin-duplicate',
        message: `The plugin "Mine" is left out: ${folder.path}/${USER}/mine has that name.`,
        suggestion: 'Remove one of them, or give it another name.',
        file: `${folder.path}/${PROJECT}/evil/plugin.json`,
        line: 1,
        column: 1,
      },
    ]);
  });

  it("are not read outside of the plugin's folder", async () => {
    await using folder = await tempFolder();
    const outside = await folder.write('outside.json', json({ out: { command: 'out' } }));
    await folder.write(
      `${PROJECT}/a/plugin.json`,
      json({
        name: 'a',
        mcpServers: [
          '../../../../outside.json',
          outside,
          './link.json',
          './none.json',
          './b.mcpb',
          7,
        ],
      }),
    );
    await symlink(outside, join(folder.path, PROJECT, 'a/link.json'));
    await symlink(outside, join(folder.path, PROJECT, 'a/.mcp.json'));
    await folder.mkdir(`${PROJECT}/b`);
    await symlink(
      await folder.write('outside/plugin.json', '{"name": "b"}'),
      join(folder.path, PROJECT, 'b/plugin.json'),
    );
    await symlink(join(folder.path, 'outside'), join(folder.path, PROJECT, 'linked'));
    const [a, b, ...rest] = await sources(folder);
    expect([a?.servers, b?.servers, rest]).toEqual([[], [], []]);
    expect(a?.diagnostics.map(({ line, message }) => [line, message])).toEqual([
      [4, 'The path leads out of the plugin.'],
      [5, 'The path leads out of the plugin.'],
      [6, 'The path leads out of the plugin.'],
      [7, 'There is no such file in the plugin.'],
      [8, 'A bundle inside a plugin is not read.'],
      [9, '"mcpServers" must be an object, a path, or a list of paths.'],
    ]);
    expect(b?.diagnostics.map(({ code }) => code)).toEqual(['plugin-manifest']);
  });

  it('are reported with the place of each mistake', async () => {
    await using folder = await tempFolder();
    await folder.mkdir(`${USER}/a-empty`);
    await folder.write(`${USER}/b-broken/plugin.json`, '{\n  "name" "b"\n}');
    await folder.write(`${USER}/c-nameless/plugin.json`, '{\n  "name": "?"\n}');
    await folder.write(`${USER}/d/plugin.json`, '{"name": "d"}');
    await folder.write(`${USER}/d/.mcp.json`, '{\n  "bad name": {},\n  "x": { "command" 1 }\n}');
    await folder.write(`${USER}/e.mcpb`, 'zip');
    await folder.write(`${USER}/.hidden/plugin.json`, '{"name": "hidden"}');
    const found = await sources(folder);
    const root = join(folder.path, USER);
    expect(
      found.map(({ plugin, servers, diagnostics }) => ({
        plugin,
        wrong: [...diagnostics, ...servers.flatMap(({ broken }) => broken ?? [])].map(
          ({ code, file, line, column, message }) =>
            `${code} ${file.slice(root.length + 1)}:${line}:${column} ${message}`,
        ),
      })),
    ).toEqual([
      {
        plugin: 'a-empty',
        wrong: [
          'plugin-manifest a-empty:0:0 This folder is not a plugin: it has neither plugin.json nor manifest.json.',
        ],
      },
      {
        plugin: 'b-broken',
        wrong: [
          'syntax b-broken/plugin.json:2:10 A colon is expected between a name and its value.',
        ],
      },
      {
        plugin: 'c-nameless',
        wrong: [
          'bad-name c-nameless/plugin.json:2:11 The plugin needs a "name" with letters or digits.',
        ],
      },
      {
        plugin: 'd',
        wrong: [
          'bad-name d/.mcp.json:2:3 "bad name" cannot be the name of a server.',
          'syntax d/.mcp.json:3:20 A colon is expected between a name and its value.',
        ],
      },
      {
        plugin: 'e',
        wrong: ['plugin-manifest e.mcpb:0:0 A bundle has no effect before it is installed.'],
      },
    ]);
  });
});

describe('an installed bundle', () => {
  verifies('CFG-09');
  const asking = runs(
    { args: ['${user_config.folder}'], env: { KEY: '${user_config.key}' } },
    {
      folder: { type: 'directory', required: true },
      key: { type: 'string', sensitive: true, required: true },
      level: { type: 'number', max: 5 },
    },
  );

  it('yields one server, with the answers of its user and references to secrets', async () => {
    await using folder = await tempFolder();
    await folder.write(`${USER}/files/manifest.json`, json(asking));
    await folder.write(
      `${USER}/files.values.json`,
      json({ values: { folder: '/${HOME}' }, secrets: ['key'] }),
    );
    const root = join(folder.path, USER, 'files');
    expect(await sources(folder)).toEqual([
      {
        plugin: 'files',
        file: join(root, 'manifest.json'),
        folder: root,
        from: 'user',
        servers: [
          {
            name: 'plugin:files:files',
            value: {
              command: 'node',
              args: ['/$${HOME}'],
              env: { KEY: '${secret:plugin.files.key}' },
              cwd: root,
            },
            at: `${USER}/files/manifest.json:9:3`,
          },
        ],
        diagnostics: [],
        variables: { PLUGIN_DOLLAR: '$' },
      },
    ]);
  });

  it('is unusable before its questions are answered, and names the command', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(`${USER}/files/manifest.json`, json(asking));
    const answers = await folder.write(
      `${USER}/files.values.json`,
      json({ values: { level: 9, folder: 7 } }),
    );
    const [source] = await sources(folder);
    expect(source?.diagnostics).toEqual([
      {
        severity: 'error',
        code: 'bad-value',
        message: '"folder" must be a path.',
        suggestion: 'Run: plugboard plugin configure files --set folder=VALUE',
        file: answers,
        line: 4,
        column: 15,
      },
      {
        severity: 'error',
        code: 'bad-value',
        message: '"level" must be at most 5.',
        suggestion: 'Run: plugboard plugin configure files --set level=VALUE',
        file: answers,
        line: 3,
        column: 14,
      },
    ]);
    expect(source?.servers.map(({ broken }) => broken)).toEqual([
      {
        severity: 'error',
        code: 'plugin-not-configured',
        message: '"plugin:files:files" needs to know "folder", "key".',
        suggestion: 'Run: plugboard plugin configure files',
        file,
        line: 23,
        column: 5,
        server: 'plugin:files:files',
      },
    ]);
  });

  it('of a project never receives the answers for one of the same name of the user', async () => {
    await using folder = await tempFolder();
    await folder.write(`${PROJECT}/files/manifest.json`, json(asking));
    await folder.write(
      `${USER}/files.values.json`,
      json({ values: { folder: '/x' }, secrets: ['key'] }),
    );
    const [source] = await sources(folder);
    expect(source?.servers.map(({ broken }) => broken?.code)).toEqual(['plugin-not-configured']);
    expect(JSON.stringify(source)).not.toContain('secret:');
  });

  it('with mistakes is reported with their places, and so are unreadable answers', async () => {
    await using folder = await tempFolder();
    await folder.write(
      `${USER}/a/manifest.json`,
      json(manifestOf({ name: 'a', server: { type: 'x' } })),
    );
    await folder.write(
      `${USER}/b/manifest.json`,
      json({ ...runs({ args: ['${user_config.no}'] }), name: 'b' }),
    );
    await folder.write(`${USER}/b.values.json`, '{');
    const found = await sources(folder);
    expect(
      found.map(({ diagnostics, servers }) =>
        [...diagnostics, ...servers.flatMap(({ broken }) => broken ?? [])].map(
          ({ file, line, column, code }) =>
            `${code} ${file.slice(folder.path.length + USER.length + 2)}:${line}:${column}`,
        ),
      ),
    ).toEqual([
      ['bad-value a/manifest.json:10:13'],
      ['syntax b.values.json:1:2', 'bad-value b/manifest.json:15:9'],
    ]);
  });

  it('never makes reading throw, whatever its files contain', async () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.json(),
      fc.constantFrom('', '{', '[]', 'null', '{"name":{}}', '{"name":"x","mcpServers":null}'),
    );
    const names = ['plugin.json', '.claude-plugin/plugin.json', 'manifest.json', '.mcp.json'];
    await using folder = await tempFolder();
    await folder.write(`${USER}/y/plugin.json`, '{"name": "y"}');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), text, text, async (name, one, other) => {
        await folder.write(`${USER}/x/${name}`, one);
        await folder.write(`${USER}/y/.mcp.json`, other);
        await folder.write(`${USER}/x.values.json`, other);
        const found = await sources(folder);
        expect(found.map(({ folder: path }) => path.slice(-1))).toEqual(['x', 'y']);
      }),
      { numRuns: 100 },
    );
  });
});
