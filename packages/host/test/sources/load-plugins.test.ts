import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type AdmittedConfiguration, readConfiguration } from '../../src/admission/index.ts';
import type { ConfigFile } from '../../src/config/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { runs } from '../plugins/bundle/bundle.ts';

const PLUGINS = 'home/.config/plugboard/plugins';
const USER_FILE = 'home/.config/plugboard/settings.json';

const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

async function load(
  folder: TempFolder,
  enterprise: readonly ConfigFile[] = [],
): Promise<AdmittedConfiguration> {
  await folder.mkdir('project/.git');
  const environment = testEnvironment(folder.path, { env: { TOKEN: 't' } });
  return readConfiguration({ environment, enterprise });
}

async function plugin(folder: TempFolder, name: string, entries: object): Promise<string> {
  await folder.write(`${PLUGINS}/${name}/.claude-plugin/plugin.json`, JSON.stringify({ name }));
  return folder.write(
    `${PLUGINS}/${name}/.mcp.json`,
    JSON.stringify({ mcpServers: entries }, undefined, 2),
  );
}

describe('the servers of plugins', () => {
  verifies('CFG-09');

  it('are configured under a combined name, with their place, and their variables filled in', async () => {
    await using folder = await tempFolder();
    const entry = {
      command: '${CLAUDE_PLUGIN_ROOT}/run',
      args: ['${PLUGIN_ROOT}', '${TOKEN}'],
      cwd: 'sub',
    };
    const file = await plugin(folder, 'tools', { db: entry });
    const root = join(folder.path, PLUGINS, 'tools');
    const { servers: found, diagnostics, rejected } = await load(folder);
    expect([diagnostics, rejected]).toEqual([[], []]);
    const origin = { kind: 'file', file, line: 3, column: 5 };
    expect(found).toMatchObject([
      {
        name: 'plugin:tools:db',
        scope: 'plugin',
        origin,
        written: { command: '${CLAUDE_PLUGIN_ROOT}/run', args: ['${PLUGIN_ROOT}', '${TOKEN}'] },
        resolved: {
          kind: 'ready',
          entry: { command: `${root}/run`, args: [root, 't'], cwd: join(root, 'sub') },
        },
        sources: [{ scope: 'plugin', origin, part: 'defines' }],
        admission: { kind: 'untrusted', subject: { name: 'plugin:tools:db', root } },
      },
    ]);
  });

  it('are patched by the user under that name, field by field', async () => {
    await using folder = await tempFolder();
    const file = await plugin(folder, 'tools', {
      db: { command: 'db', args: ['a'], env: { A: '1', B: '2' } },
    });
    const patch = { env: { B: '${PLUGIN_ROOT}' }, timeout: 5, cwd: '.' };
    const user = await folder.write(USER_FILE, servers({ 'plugin:tools:db': patch }));
    const { servers: found, explain, diagnostics } = await load(folder);
    expect(diagnostics).toEqual([]);
    expect(found).toMatchObject([
      {
        name: 'plugin:tools:db',
        scope: 'plugin',
        written: { command: 'db', env: { A: '1', B: '${PLUGIN_ROOT}' }, timeout: 5 },
        resolved: {
          entry: {
            env: { A: '1', B: join(folder.path, PLUGINS, 'tools') },
            cwd: join(folder.path, 'home'),
          },
        },
        sources: [
          { scope: 'user', part: 'patches' },
          { scope: 'plugin', part: 'defines' },
        ],
      },
    ]);
    const fields = explain('plugin:tools:db').map(({ path, from, lost }) => ({
      path: path.join('.'),
      from: from.map(({ origin }) => origin.kind === 'file' && origin.file),
      lost: lost.map(({ origin }) => origin.kind === 'file' && origin.file),
    }));
    expect(fields.find(({ path }) => path === 'env.B')).toEqual({
      path: 'env.B',
      from: [user],
      lost: [file],
    });
    expect(fields.find(({ path }) => path === 'command')?.from).toEqual([file]);
  });

  it.each([
    ['a plugin', 'plugin:tools:db'],
    ['a connector', 'connector:acme:wiki'],
  ])('cannot be defined elsewhere under a name of %s', async (_, name) => {
    await using folder = await tempFolder();
    await plugin(folder, 'tools', { db: { command: 'db' }, web: { command: 'web' } });
    const file = await folder.write(
      USER_FILE,
      `{ "mcpServers": {\n  "${name}": { "command": "evil" },\n  "good": { "command": "good" } } }`,
    );
    const { servers: found, rejected, diagnostics } = await load(folder);
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'bad-name',
        message: `"${name}" is the name of a server that a plugin or a connector brings.`,
        suggestion:
          'Remove "command" and "url" to patch that server, or give this one another name.',
        file,
        line: 2,
        column: 3,
        server: name,
      },
    ]);
    expect(rejected.map((server) => server.name)).toEqual([name]);
    // The plugin's own server of that name does not replace it either.
    expect(found.map((server) => server.name)).toEqual(
      name === 'plugin:tools:db'
        ? ['good', 'plugin:tools:web']
        : ['good', 'plugin:tools:db', 'plugin:tools:web'],
    );
  });

  it('are rejected if only a patch names them, and the patch is reported', async () => {
    await using folder = await tempFolder();
    await folder.write(USER_FILE, servers({ 'plugin:gone:db': { disabled: true } }));
    const { rejected, diagnostics } = await load(folder);
    expect(rejected.map(({ name }) => name)).toEqual(['plugin:gone:db']);
    expect(diagnostics).toMatchObject([{ code: 'command-or-url', server: 'plugin:gone:db' }]);
  });

  it('give way to a server configured by hand, or of an earlier plugin', async () => {
    await using folder = await tempFolder();
    await plugin(folder, 'a', {
      run: { command: 'run', args: ['${TOKEN}'] },
      web: { url: 'HTTPS://X.example:443/mcp' },
      other: { command: 'other' },
    });
    await plugin(folder, 'b', { other: { command: 'other' }, run: { command: 'run' } });
    await folder.write(
      'project/.mcp.json',
      servers({ mine: { command: 'run', args: ['t'] }, site: { url: 'https://x.example/mcp' } }),
    );
    const { servers: found } = await load(folder);
    expect(
      found.map(({ name, admission }) => [
        name,
        admission.kind === 'suppressed' ? admission.by : admission.kind,
      ]),
    ).toEqual([
      ['mine', 'untrusted'],
      ['plugin:a:other', 'untrusted'],
      ['plugin:a:run', 'mine'],
      ['plugin:a:web', 'site'],
      ['plugin:b:other', 'plugin:a:other'],
      ['plugin:b:run', 'untrusted'],
      ['site', 'untrusted'],
    ]);
  });

  it('do not affect others: one bad server, one broken plugin', async () => {
    await using folder = await tempFolder();
    const file = await plugin(folder, 'a', { good: { command: 'g' }, bad: { comand: 'b' } });
    const broken = await folder.write(`${PLUGINS}/b/plugin.json`, '{ "name": ');
    const missing = await folder.write(
      `${PLUGINS}/c/manifest.json`,
      JSON.stringify(
        runs(
          { env: { KEY: '${user_config.key}' } },
          { key: { type: 'string', title: 'Key', required: true, sensitive: true } },
        ),
      ),
    );
    const { servers: found, rejected, diagnostics } = await load(folder);
    expect(found.map(({ name }) => name)).toEqual(['plugin:a:good']);
    expect(rejected.map(({ name }) => name)).toEqual(['plugin:a:bad', 'plugin:files:files']);
    expect(diagnostics.map((one) => `${one.file} ${one.code} ${one.server}`).toSorted()).toEqual([
      `${file} command-or-url plugin:a:bad`,
      `${file} unknown-key plugin:a:bad`,
      `${broken} syntax undefined`,
      `${missing} plugin-not-configured plugin:files:files`,
    ]);
  });

  it('are left out if the owner of the machine has an exclusive file', async () => {
    verifies('CFG-01');
    await using folder = await tempFolder();
    await plugin(folder, 'a', { run: { command: 'run' } });
    const path = await folder.write('managed-mcp.json', servers({ only: { command: 'only' } }));
    const managed = { path, scope: 'enterprise', format: 'managed', folder: folder.path } as const;
    const found = await load(folder, [managed]);
    expect(found.servers.map(({ name }) => name)).toEqual(['only']);
    expect(found.watched.filter((each) => each.includes('plugins'))).toEqual([]);
  });

  it('are the weakest but those of connectors: dynamic, local, project, user, plugin', async () => {
    verifies('CFG-01');
    await using folder = await tempFolder();
    await plugin(folder, 'a', { s: { command: 's', timeout: 1, env: { P: 'plugin' } } });
    const name = 'plugin:a:s';
    const files = [
      ['user', USER_FILE],
      ['project', 'project/.mcp.json'],
      ['local', 'project/.plugboard/settings.local.json'],
    ] as const;
    const said: unknown[] = [];
    const timeout = async (given = {}): Promise<unknown> => {
      const environment = testEnvironment(folder.path);
      const read = await readConfiguration({ environment, enterprise: [], given });
      const field = read.explain(name).find(({ path }) => path[0] === 'timeout');
      return [field?.value, field?.from.map(({ scope }) => scope)];
    };
    said.push(await timeout());
    for (const [index, [, path]] of files.entries()) {
      await folder.write(path, servers({ [name]: { timeout: index + 2 } }));
      said.push(await timeout());
    }
    said.push(await timeout({ [name]: { timeout: 9 } }));
    expect(said).toEqual([
      [1, ['plugin']],
      [2, ['user']],
      [3, ['project']],
      [4, ['local']],
      [9, ['dynamic']],
    ]);
  });
});
