// The options of `plugboard call`: arguments as JSON, a time limit, files for content that is not text, and a server that is in
// no file.

import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { everything, scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const SERVER = scriptedServer({ builtIns: ['echo', 'add'] });
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const FILES = scriptedServer({
  builtIns: [],
  tools: [
    {
      name: 'make',
      result: {
        content: [
          { type: 'text', text: 'made' },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
          { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
          {
            type: 'resource',
            resource: { uri: 'file:///a/../../../etc/pass%2Fwd.txt', text: 'x' },
          },
          { type: 'resource', resource: { uri: 'demo://pages/index.html', text: '<b>hi</b>' } },
          { type: 'resource', resource: { uri: 'demo://data/..', blob: 'AAEC', mimeType: '../x' } },
        ],
      },
    },
  ],
});

function words({ command, args }: { command: string; args: readonly string[] }): string {
  return [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
}

async function piped(box: Sandbox, args: readonly string[], text: string) {
  return box.run(args, { stdin: text });
}

describe.concurrent('the arguments of a call as one JSON object', () => {
  verifies('CLI-08');

  it('are accepted as a word, with --args and from stdin', async ({ expect }) => {
    await using box = await sandbox({ s: SERVER });
    const add = ['call', 's', 'add'];
    const json = '{ "a": 2, "b": 3.5 }';
    const runs = await Promise.all([
      box.run([...add, json]),
      box.run([...add, '--args', json]),
      piped(box, [...add, '-'], json),
      piped(box, [...add, '--args', '-'], json),
      box.run([...add, '{"a":2}', 'b=3.5']),
    ]);
    expect(runs).toEqual(runs.map(() => ({ code: 0, stdout: '{\n  "sum": 5.5\n}\n', stderr: '' })));
  });

  it('are refused if they are not an object, or given twice', async ({ expect }) => {
    await using box = await sandbox({ s: SERVER });
    const add = ['call', 's', 'add'];
    const runs = await Promise.all([
      box.run([...add, '--args', '[1]']),
      box.run([...add, '{"a":']),
      box.run([...add, '{"a":1}', 'a=2']),
      box.run([...add, '--args', '{}', 'a=2']),
      piped(box, [...add, '-'], ''),
    ]);
    expect(runs.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [1, 'error: the arguments are not one JSON object: it is not an object'],
      [1, expect.stringMatching(/^error: the arguments are not one JSON object: /)],
      [1, 'error: "a" is given twice'],
      [1, 'error: the arguments are given twice: as JSON and as words'],
      [1, expect.stringMatching(/^error: the arguments are not one JSON object: /)],
    ]);
  });
});

describe.concurrent('plugboard call --timeout', () => {
  verifies('CLI-08');

  it('ends a call that takes longer, and explains how to allow more time', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer() });
    const [seconds, milliseconds] = await Promise.all([
      box.run(['call', 's', 'never', '--timeout', '0.3s']),
      box.run(['call', 's', 'never', '--timeout', '300', '--json']),
    ]);
    expect(seconds).toMatchObject({ code: 2, stdout: '' });
    expect(seconds.stderr).toContain('fix: if it needs longer, give it more: --timeout 60s\n');
    expect(milliseconds.code).toBe(2);
    expect(documentOf(milliseconds)).toMatchObject({ error: { kind: 'timeout' } });
  });

  it.for(['soon', '0', '-1', '2d', '99999m'])('refuses %s', async (time, { expect }) => {
    await using box = await sandbox({ s: SERVER });
    expect(await box.run(['call', 's', 'echo', 'message=x', '--timeout', time])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `--timeout takes a time of up to a day, not "${time}"`,
      ) as string,
    });
  });
});

describe.concurrent('plugboard call --save', () => {
  verifies('CLI-08');

  const NAMES = ['make-2.png', 'make-3.wav', 'pass_wd.txt', 'index.html.txt', 'make-6.bin'];

  it('saves images, audio, binaries and files under safe names, readable by the user only', async ({
    expect,
  }) => {
    await using box = await sandbox({ s: FILES });
    const run = await box.run(['call', 's', 'make', '--save', 'out/here']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Saved out/here/make-2.png (image/png, 70 bytes).\n');
    const folder = `${box.project}/out/here`;
    expect(new Set(await readdir(folder))).toEqual(new Set(NAMES));
    expect((await readFile(`${folder}/make-2.png`)).toString('base64')).toBe(PIXEL);
    expect(await readFile(`${folder}/index.html.txt`, 'utf8')).toBe('<b>hi</b>');
    for (const name of NAMES) expect((await stat(`${folder}/${name}`)).mode & 0o777).toBe(0o600);
  });

  it('never overwrites a file or writes through a link, and lists the paths with --json', async ({
    expect,
  }) => {
    await using box = await sandbox({ s: FILES });
    await box.write('out/make-2.png', 'mine');
    await box.write('victim', 'untouched');
    await symlink(`${box.project}/victim`, `${box.project}/out/make-3.wav`);
    const run = await box.run(['call', 's', 'make', '--save', 'out', '--json']);
    const { saved } = documentOf(run) as { saved: readonly Readonly<Record<string, unknown>>[] };
    expect(saved[0]).toEqual({
      part: 1,
      file: `${box.project}/out/make-2-2.png`,
      mimeType: 'image/png',
      bytes: 70,
    });
    expect(saved.map(({ file }) => file)).toEqual(
      ['make-2-2.png', 'make-3-2.wav', ...NAMES.slice(2)].map(
        (name) => `${box.project}/out/${name}`,
      ),
    );
    expect([await box.read('out/make-2.png'), await box.read('victim')]).toEqual([
      'mine',
      'untouched',
    ]);
  });

  it('reports that nothing can be written, and still shows the answer', async ({ expect }) => {
    await using box = await sandbox({ s: FILES });
    await box.write('taken', 'a file');
    const run = await box.run(['call', 's', 'make', '--save', 'taken']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('made');
    expect(run.stderr).toMatch(/error: \S+taken\/make-2\.png cannot be written \(E\w+\)\n/);
  });
});

describe.concurrent('a server given on the command line', () => {
  verifies('CLI-09');

  it('is started or reached for one call, and is in no file afterwards', async ({ expect }) => {
    await using peer = await startScriptedHttp({ builtIns: ['echo'] });
    await using box = await sandbox({ other: { command: 'no-such-command' } });
    const [stdio, remote, tools] = await Promise.all([
      box.run(['call', '--stdio', words(everything()), 'echo', 'message=hi']),
      box.run(['call', '--url', peer.url, 'echo', '{"message":"there"}', '--json']),
      box.run(['tools', '--stdio', words(SERVER), '--json']),
    ]);
    expect(stdio).toEqual({ code: 0, stdout: 'Echo: hi\n', stderr: '' });
    expect(documentOf(remote)).toMatchObject({ kind: 'result', parts: [{ text: 'there' }] });
    expect(documentOf(tools)).toMatchObject({ tools: [{ tool: 'add' }, { tool: 'echo' }] });
    expect((await box.run(['list'])).stdout).toMatch(/^NAME.*\nother .*\n$/);
  });

  it('gives its resources and prompts, unless another server is named as well', async ({
    expect,
  }) => {
    await using box = await sandbox({ other: { command: 'no-such-command' } });
    const stdio = ['--stdio', words(everything())];
    const uri = 'demo://resource/static/document/features.md';
    const [resources, read, prompts, prompt] = await Promise.all([
      box.run(['resources', ...stdio, '--json']),
      box.run(['read', uri, ...stdio]),
      box.run(['prompts', ...stdio, '--json']),
      box.run(['prompt', 'simple-prompt', ...stdio]),
    ]);
    expect((documentOf(resources) as { resources: readonly object[] }).resources).toContainEqual(
      expect.objectContaining({ uri }),
    );
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('Features') as string });
    expect((documentOf(prompts) as { prompts: readonly object[] }).prompts).toContainEqual(
      expect.objectContaining({ prompt: 'simple-prompt' }),
    );
    expect(prompt).toEqual({
      code: 0,
      stdout: 'This is a simple prompt without arguments.\n',
      stderr: '',
    });
    const twice = await Promise.all([
      box.run(['resources', 'other', ...stdio]),
      box.run(['read', uri, '--server', 'other', '--url', 'http://127.0.0.1:2/mcp']),
    ]);
    expect(twice).toEqual([
      {
        code: 1,
        stdout: '',
        stderr: 'error: "other" and --stdio both name a server\n  fix: give one of them\n',
      },
      {
        code: 1,
        stdout: '',
        stderr: 'error: "other" and --url both name a server\n  fix: give one of them\n',
      },
    ]);
  });

  it('accepts headers and variables', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('start.sh', `test "$TOKEN" = sesame && exec ${words(SERVER)}\n`);
    const stdio = 'sh start.sh';
    const env = ['--env', 'TOKEN=sesame'];
    expect(await box.run(['call', '--stdio', stdio, ...env, 'echo', 'message=x'])).toMatchObject({
      code: 0,
      stdout: 'x\n',
    });
    const wrong = await Promise.all([
      box.run(['call', '--url', 'http://127.0.0.1:2/mcp', ...env, 'echo']),
      box.run(['call', 's', 'echo', ...env]),
      box.run(['call', '--url', 'x', '--stdio', 'y', 'echo']),
      box.run(['call', '--url', 'nowhere', 'echo']),
      box.run(['call', '--stdio', '', 'echo']),
      box.run(['call', '--url', 'https://example.com/mcp']),
    ]);
    expect(wrong.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [1, 'error: a URL takes no environment variables'],
      [1, 'error: --header and --env work only with --url or --stdio'],
      [1, 'error: --url and --stdio cannot be combined'],
      [1, 'error: "nowhere" is not a URL'],
      [1, 'error: --stdio names no command'],
      [1, "error: missing required argument 'server'"],
    ]);
  });

  it('is blocked by a policy rule', async ({ expect }) => {
    await using peer = await startScriptedHttp({ builtIns: ['echo'] });
    await using box = await sandbox();
    const denied = [{ serverUrl: `${new URL(peer.url).origin}/*` }, { serverCommand: ['sh', 'x'] }];
    await box.write(
      '../home/.config/plugboard/settings.json',
      JSON.stringify({ deniedMcpServers: denied }),
    );
    const runs = await Promise.all([
      box.run(['call', '--url', peer.url, 'echo', 'message=x']),
      box.run(['call', '--stdio', 'sh x', 'echo']),
    ]);
    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
      [5, ''],
      [5, ''],
    ]);
    for (const { stderr } of runs)
      expect(stderr).toMatch(/^error: server "\S+" is blocked: denied by /);
  });

  it('is examined by doctor, and its records are shown', async ({ expect }) => {
    await using peer = await startScriptedHttp({ builtIns: ['echo'] });
    await using box = await sandbox({ other: { command: 'no-such-command' } });
    const failing = ['--stdio', 'node -e console.error("out-of-cheese");process.exit(3)'];
    const remote = await box.run(['doctor', '--url', peer.url]);
    expect(remote).toMatchObject({ code: 0, stderr: '' });
    expect(remote.stdout).toContain(`for this run: --url ${peer.url}\n`);
    expect(remote.stdout).toContain(`See what it can do: plugboard tools --url ${peer.url}\n`);
    const local = await box.run(['doctor', ...failing]);
    expect(local.code).toBe(2);
    expect(local.stdout).toContain("all it said: plugboard logs --stdio '…'\n");
    expect((await box.run(['logs', ...failing])).stdout).toContain('out-of-cheese');
    expect(await box.run(['logs'])).toMatchObject({
      code: 1,
      stderr: 'error: no server is named\n  fix: give its name; see the list: plugboard list\n',
    });
  });

  it('demands a sign-in with a command that works for it', async ({ expect }) => {
    await using peer = await startScriptedHttp({ http: { status: 401 } });
    await using box = await sandbox();
    const url = ['--url', peer.url];
    const lines = [
      ['call', ...url, 'echo'],
      ['tools', ...url],
      ['resources', ...url],
    ];
    for (const run of await Promise.all(lines.map((each) => box.run(each)))) {
      expect(run).toMatchObject({ code: 4, stdout: '' });
      expect(run.stderr).toContain(`fix: sign in: plugboard login --url ${peer.url}\n`);
    }
    const secret = await box.run(['tools', '--url', `${peer.url}?key=hidden`]);
    expect(secret.stderr).toContain('fix: sign in: plugboard login --url URL\n');
  });
});
