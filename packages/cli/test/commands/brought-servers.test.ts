// Servers of plugins and connectors, used only through the command.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies, zipOf } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const PLUGINS = '.config/plugboard/plugins';
const SECRET = 'tops3cret';

/** The files of a sandbox that contain a text. */
async function filesWith(box: Sandbox, text: string): Promise<readonly string[]> {
  const root = dirname(box.home);
  const items = await readdir(root, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    items
      .filter((item) => item.isFile())
      .map(async (item) => {
        const path = join(item.parentPath, item.name);
        return (await readFile(path)).includes(text) ? [path.slice(root.length + 1)] : [];
      }),
  );
  return found.flat();
}

/** A bundle that is a real server and asks for a key. */
async function bundle(box: Sandbox): Promise<void> {
  const { command, args } = scriptedServer();
  const manifest = {
    manifest_version: '0.3',
    name: 'keyed',
    version: '1.0.0',
    description: 'Wants a key',
    author: { name: 'somebody' },
    server: {
      type: 'node',
      entry_point: 'index.js',
      mcp_config: { command, args, env: { KEY: 'key-${user_config.key}' } },
    },
    user_config: {
      key: { type: 'string', title: 'Key', description: '', required: true, sensitive: true },
    },
  };
  const entries = [{ name: 'manifest.json', data: JSON.stringify(manifest) }];
  await writeFile(join(box.project, 'keyed.mcpb'), zipOf(entries));
}

describe.concurrent('a bundle that asks for a secret', () => {
  verifies('CFG-09', 'CFG-11', 'CFG-15');

  it('passes the answer to its server only', async ({ expect }) => {
    await using box = await sandbox();
    await bundle(box);
    const name = 'plugin:keyed:keyed';
    const runs: Run[] = [
      await box.run(['plugin', 'add', 'keyed.mcpb', '--set', `key=${SECRET}`]),
      await box.run(['call', name, 'env']),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, expect.any(Number)]);
    // An installed plugin is not trusted yet.
    expect(runs[1]?.code).not.toBe(0);
    runs.push(await box.run(['trust', name]));
    const shown = [
      ['list'],
      ['get', name],
      ['explain', name],
      ['doctor', '--json'],
      ['plugin', 'list'],
    ];
    runs.push(...(await Promise.all(shown.map((words) => box.run(words)))));
    expect(JSON.stringify(runs)).not.toContain(SECRET);
    await box.trust();

    const called = await box.run(['call', name, 'env', '--json']);
    expect(called.code).toBe(0);
    expect(called.stdout).toContain(`key-${SECRET}`);
    expect(await filesWith(box, SECRET)).toEqual([]);

    // Its stored values are removed with it.
    await box.run(['plugin', 'remove', 'keyed']);
    expect(JSON.parse((await box.run(['secret', 'list', '--json'])).stdout)).toMatchObject({
      secrets: [],
    });
  });
});

describe.concurrent('a plugin server that is also configured by hand', () => {
  verifies('CFG-09');

  it('is suppressed, and list, explain and call name the other server', async ({ expect }) => {
    await using box = await sandbox();
    const entry = scriptedServer({ builtIns: ['echo'] });
    await box.write(`../home/${PLUGINS}/tools/plugin.json`, '{"name": "tools"}');
    await box.write(`../home/${PLUGINS}/tools/.mcp.json`, JSON.stringify({ run: entry }));
    await box.servers({ mine: entry });
    const name = 'plugin:tools:run';
    const words = 'suppressed by "mine", which runs or reaches the same';
    const listed = await box.run(['list']);
    expect([listed.code, listed.stderr]).toEqual([0, `"${name}" is ${words}\n`]);
    expect(listed.stdout).toMatch(/^mine +idle/m);
    expect(listed.stdout).toMatch(/^plugin:tools:run +duplicate/m);
    expect(documentOf(await box.run(['list', '--json']))).toMatchObject({
      servers: [
        { name: 'mine', state: 'idle', problems: [] },
        { name, state: 'duplicate', scope: 'plugin', problems: [words] },
      ],
    });
    const explained = await box.run(['explain', name]);
    expect(explained.stdout).toContain(`${name}: duplicate\n  ${words}\n`);
    expect(await box.run(['call', name, 'echo', 'message=hi'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "${name}" is not used, since "mine" is the same
  fix: use "mine" instead
`,
    });
    const tools = await box.run(['tools', '--json']);
    expect(JSON.parse(tools.stdout)).toMatchObject({
      tools: [{ server: 'mine', tool: 'echo' }],
    });
  });
});

interface Connector {
  readonly url: string;
  readonly asked: readonly IncomingHttpHeaders[];
  readonly fail: () => void;
}

async function connector(scope: Scope, answer: object): Promise<Connector> {
  const asked: IncomingHttpHeaders[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/servers`, asked, fail: () => void (status = 500) };
}

describe.concurrent('a connector in the settings of the user', () => {
  verifies('CFG-09');

  it('is called by the first command that needs servers, and not by list', async ({ expect }) => {
    await using scope = new Scope();
    const box = scope.use(await sandbox());
    const server = scope.use(await startScriptedHttp());
    const { url, asked, fail } = await connector(scope, {
      servers: [{ name: 'echo', url: server.url }],
    });
    const settings = { acme: { url, headers: { Authorization: 'Bearer ${secret:ACME}' } } };
    await box.write(
      '../home/.config/plugboard/settings.json',
      JSON.stringify({ connectors: settings }),
    );
    const runs: Run[] = [];
    const run = async (...words: readonly string[]): Promise<Run> => {
      const ran = await box.run(words);
      runs.push(ran);
      return ran;
    };
    await box.run(['secret', 'set', 'ACME'], { stdin: SECRET });

    expect((await run('list', '--json')).stdout).toContain('"servers": []');
    expect(asked).toEqual([]);

    const name = 'connector:acme:echo';
    const called = await run('call', name, 'echo', 'message=hi');
    expect([called.code, called.stdout, called.stderr]).toEqual([0, 'hi\n', '']);
    expect(asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${SECRET}`]);

    // The stored list is sufficient from now on, even if the connector fails.
    fail();
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject({
      servers: [{ name, state: 'idle', scope: 'connector', problems: [] }],
      diagnostics: [],
    });
    await run('explain', name);
    await run('doctor');
    expect((await run('call', name, 'echo', 'message=hi')).code).toBe(0);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify([runs, server.requests])).not.toContain(SECRET);
    expect(await filesWith(box, SECRET)).toEqual([]);
  });

  it('is named with its place when it fails, and other servers work', async ({ expect }) => {
    await using scope = new Scope();
    const box = scope.use(await sandbox());
    const { url, fail } = await connector(scope, {});
    fail();
    const good = scriptedServer({ builtIns: ['echo'] });
    await box.write(
      '../home/.config/plugboard/settings.json',
      `{ "mcpServers": { "good": ${JSON.stringify(good)} },\n  "connectors": { "acme": { "url": "${url}" } } }`,
    );
    const { code, stdout, stderr } = await box.run(['tools']);
    expect(stdout).toContain('good    echo  Says what it was told\n');
    expect([code, stderr]).toEqual([
      0,
      `error: the connector "acme" refuses to answer (HTTP 500)
  at:  ~/.config/plugboard/settings.json:2:19
  fix: try again later, and look whether the address is right
`,
    ]);
  });
});
