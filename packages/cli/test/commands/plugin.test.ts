import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEYS, verifies, zipOf } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { answering } from '../on-terminal.ts';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const PLUGINS = '.config/plugboard/plugins';

const MANIFEST = {
  manifest_version: '0.3',
  name: 'Files',
  version: '1.2.0',
  description: 'Reads \u001B[31mfiles',
  author: { name: 'somebody' },
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: 'node',
      args: [
        '${__dirname}/index.js',
        '--level=${user_config.level}',
        '${user_config.dirs}',
        'a b\u202E',
      ],
      env: { KEY: '${user_config.key}' },
    },
  },
  user_config: {
    dirs: {
      type: 'directory',
      title: 'Folders',
      description: 'Which',
      multiple: true,
      required: true,
    },
    level: { type: 'number', title: 'Level', description: 'How much', default: 3, max: 5 },
    key: { type: 'string', title: 'Key', description: '', sensitive: true },
  },
};

async function bundle(box: Sandbox, manifest: object = MANIFEST): Promise<void> {
  const entries = [
    { name: 'manifest.json', data: JSON.stringify(manifest) },
    { name: 'index.js', data: '// the server' },
  ];
  await writeFile(join(box.project, 'files.mcpb'), zipOf(entries));
}

const inPlugins = async (box: Sandbox): Promise<readonly string[]> =>
  readdir(join(box.home, PLUGINS)).catch(() => []);

function refused(stderr: string): Run {
  return { code: 1, stdout: '', stderr };
}

const preview = (box: Sandbox): string => `Plugin "Files" 1.2.0: Reads files
  plugin:Files:Files
    runs     node ${box.home}/${PLUGINS}/Files/index.js --level=3 \${user_config.dirs} "a b\\u202e"
    sets     KEY
`;

describe.concurrent('plugboard plugin add', () => {
  verifies('CFG-09');

  it('shows exactly what a bundle would run, installs it, and explains how to trust it', async ({
    expect,
  }) => {
    await using box = await sandbox();
    await bundle(box);
    const args = [
      'plugin',
      'add',
      'files.mcpb',
      '--set',
      'dirs=x',
      '--set',
      'dirs=/y',
      '--set',
      'level=4',
    ];
    expect(await box.run(args)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${preview(box)}Installed "Files" in ~/${PLUGINS}/Files.
Trust it: plugboard trust plugin:Files:Files
`,
    });
    const values = join(box.home, PLUGINS, 'Files.values.json');
    expect(JSON.parse(await readFile(values, 'utf8'))).toEqual({
      values: { dirs: [join(box.project, 'x'), '/y'], level: 4 },
      secrets: [],
    });
    expect((await stat(values)).mode & 0o777).toBe(0o600);
    expect(await inPlugins(box)).toEqual(['Files', 'Files.values.json']);
  });

  it('prints JSON with --json', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    const run = await box.run(['plugin', 'add', 'files.mcpb', '--set', 'dirs=/x', '--json']);
    const folder = join(box.home, PLUGINS, 'Files');
    expect([run.code, documentOf(run)]).toEqual([
      0,
      {
        kind: 'installed',
        name: 'Files',
        folder,
        servers: [
          {
            name: 'plugin:Files:Files',
            command: ['node', `${folder}/index.js`, '--level=3', '/x', 'a b\u202E'],
            url: null,
            variables: [],
            headers: [],
          },
        ],
      },
    ]);
  });

  it('installs a folder in the format of Claude Code', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('tools/.claude-plugin/plugin.json', '{"name": "tools"}');
    const web = { url: 'https://x.y/mcp', headers: { Authorization: 'Bearer ${T}' } };
    const run = { command: '${CLAUDE_PLUGIN_ROOT}/run', args: ['--token', 't'] };
    await box.write('tools/.mcp.json', JSON.stringify({ web, run }));
    expect(await box.run(['plugin', 'add', './tools'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Plugin "tools"
  plugin:tools:web
    reaches  https://x.y/mcp
    headers  Authorization
  plugin:tools:run
    runs     \${CLAUDE_PLUGIN_ROOT}/run --token t
Installed "tools" in ~/${PLUGINS}/tools.
Trust it: plugboard trust plugin:tools:web
Trust it: plugboard trust plugin:tools:run
`,
    });
  });

  it('does not prompt without a terminal, and lists the flags instead', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    expect(await box.run(['plugin', 'add', 'files.mcpb'])).toEqual(
      refused(`${preview(box)}error: the plugin needs to know: Folders
  fix: add --set dirs=DIRECTORY
`),
    );
    expect(await inPlugins(box)).toEqual([]);
  });

  it.for([
    [['files.mcpb', '--set', 's3cret'], 'an answer has no "="', 'write --set KEY=VALUE'],
    [
      ['files.mcpb', '--set', 'dirs=x', '--set', 'level=9'],
      '"level" must be at most 5',
      'give another value',
    ],
    [
      ['files.mcpb', '--set', 'dirs=x', '--set', 'red=1'],
      '"Files" does not ask for "red"',
      'use one of: dirs, level, key',
    ],
    [['none.mcpb'], 'there is no file none.mcpb', 'check the path'],
    [
      ['.mcp.json'],
      '.mcp.json is neither a folder nor a .mcpb or .dxt file',
      'give the path of a plugin',
    ],
    [
      ['evil.mcpb'],
      'evil.mcpb is refused: "../../x" leads out of its folder',
      'get another version of it, or tell its author',
    ],
    [['text.mcpb'], 'text.mcpb is not a zip that can be read', 'get the bundle again'],
  ] as const)('refuses %j', async ([args, message, fix], { expect }) => {
    verifies('CLI-05');
    await using box = await sandbox({});
    await bundle(box);
    await writeFile(join(box.project, 'evil.mcpb'), zipOf([{ name: '../../x', data: 'x' }]));
    await box.write('text.mcpb', 'text');
    const { code, stderr } = await box.run(['plugin', 'add', ...args]);
    expect([code, stderr.slice(stderr.indexOf('error: '))]).toEqual([
      1,
      `error: ${message}\n  fix: ${fix}\n`,
    ]);
    expect(await inPlugins(box)).toEqual([]);
  });

  it('shows where a plugin is broken', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box, { ...MANIFEST, compatibility: { platforms: ['sunos'] } });
    expect(await box.run(['plugin', 'add', 'files.mcpb'])).toEqual(
      refused(`error: the bundle does not run on this system (${process.platform})
  at:  files.mcpb/manifest.json:1:${JSON.stringify(MANIFEST).length + 30}
  fix: use it on one of the systems that it names, or remove it
`),
    );
  });

  it('replaces a plugin only with --force, and then keeps the answers', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    await box.run(['plugin', 'add', 'files.mcpb', '--set', 'dirs=/x']);
    await bundle(box, { ...MANIFEST, version: '2.0.0' });
    const again = await box.run(['plugin', 'add', 'files.mcpb']);
    expect(again.stderr).toContain(
      'error: "Files" is already installed\n  fix: add --force to replace it\n',
    );
    expect((await box.run(['plugin', 'add', 'files.mcpb', '--force'])).code).toBe(0);
    const listed = documentOf(await box.run(['plugin', 'list', '--json']));
    expect(listed).toMatchObject({ plugins: [{ version: '2.0.0', state: 'ready' }] });
  });
});

describe.concurrent('plugboard plugin', () => {
  verifies('CFG-09');

  it('lists, configures and removes installed plugins', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(`../home/${PLUGINS}/Files/manifest.json`, JSON.stringify(MANIFEST));
    await box.write('.plugboard/plugins/team/plugin.json', '{"name": "team", "version": "3"}');
    const folder = join(box.home, PLUGINS, 'Files');
    expect(await box.run(['plugin', 'list'])).toEqual({
      code: 1,
      stdout: `PLUGIN  VERSION  STATE           FROM     FOLDER                             SERVERS
Files   1.2.0    not-configured  user     ~/.config/plugboard/plugins/Files  plugin:Files:Files
team    3        ready           project  .plugboard/plugins/team            -
`,
      stderr: `error: "plugin:Files:Files" needs to know "dirs"
  at:  ~/${PLUGINS}/Files/manifest.json:1:${JSON.stringify(MANIFEST).indexOf('"dirs"') + 1}
  fix: run: plugboard plugin configure Files
`,
    });
    expect(await box.run(['plugin', 'configure', 'Files', '--set', 'dirs=/x'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Configured "Files".\n',
    });
    const run = await box.run(['plugin', 'list', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      0,
      {
        plugins: [
          {
            name: 'Files',
            kind: 'bundle',
            version: '1.2.0',
            from: 'user',
            folder,
            servers: ['plugin:Files:Files'],
            questions: ['dirs', 'level', 'key'],
            state: 'ready',
            diagnostics: [],
          },
          {
            name: 'team',
            kind: 'folder',
            version: '3',
            from: 'project',
            folder: join(box.project, '.plugboard/plugins/team'),
            servers: [],
            questions: [],
            state: 'ready',
            diagnostics: [],
          },
        ],
      },
    ]);
    expect(
      documentOf(await box.run(['plugin', 'configure', 'Files', '--set', 'level=1', '--json'])),
    ).toEqual({
      kind: 'configured',
      name: 'Files',
    });
    expect(await box.run(['plugin', 'remove', 'Files'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Removed "Files" from ~/${PLUGINS}/Files.\n`,
    });
    expect(await inPlugins(box)).toEqual([]);
  });

  it('reports an unknown plugin, and suggests the nearest', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['plugin', 'list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No plugins are installed.\nInstall one: plugboard plugin add PATH\n',
    });
    await box.write(`../home/${PLUGINS}/files/plugin.json`, '{"name": "files"}');
    expect(await box.run(['plugin', 'remove', 'file'])).toEqual(
      refused('error: no plugin "file" is installed\n  fix: did you mean "files"?\n'),
    );
    expect(await box.run(['plugin', 'configure', 'xyz'])).toEqual(
      refused('error: no plugin "xyz" is installed\n  fix: see the list: plugboard plugin list\n'),
    );
    expect(await box.run(['plugin', 'frobnicate'])).toEqual(
      refused(
        'error: there is no command "plugin frobnicate"\n  fix: see the list: plugboard plugin --help\n',
      ),
    );
    const help = await box.run(['plugin']);
    expect([help.code, help.stdout.startsWith('Usage: plugboard plugin <command>')]).toEqual([
      0,
      true,
    ]);
  });
});

describe.concurrent('plugboard plugin add on a terminal', () => {
  verifies('CFG-09');

  it('asks for missing values', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    const { screen } = await answering(
      box,
      ['plugin', 'add', 'files.mcpb'],
      [
        ['Folders (folders, one by one): ', '\r'],
        ['Folders (folders, one by one): ', '/a\r'],
        ['another, or nothing: ', '~/b\r'],
        ['another, or nothing: ', '\r'],
        ['Level (a number, at most 5, optional) [3]: ', '9\r'],
        ['Level (a number, at most 5, optional) [3]: ', '5\r'],
        ['Key (text, optional, not shown): ', '\r'],
        ['Let "plugin:Files:Files" start? [y/N] ', 'y\r'],
      ],
    );
    expect(screen).toContain('  | How much');
    expect(screen).toContain('an answer is needed');
    expect(screen).toContain('at most 5, please');
    expect(screen).toContain(`Installed "Files"`);
    expect(screen).not.toContain('Trust it:');
    expect((await box.run(['list'])).stdout).toMatch(/^plugin:Files:Files +idle /m);
    expect(
      JSON.parse(await readFile(join(box.home, PLUGINS, 'Files.values.json'), 'utf8')),
    ).toEqual({
      values: { dirs: ['/a', `${box.home}/b`], level: 5 },
      secrets: [],
    });
  });

  it('changes nothing when the person cancels', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    const { screen } = await answering(
      box,
      ['plugin', 'add', 'files.mcpb'],
      [['Folders (folders, one by one): ', KEYS.ctrlC]],
    );
    expect(screen).toContain('error: nothing was changed');
    expect(await inPlugins(box)).toEqual([]);
  });
});
