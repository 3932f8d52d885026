import { access, chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

/** The file with the user's own servers for each client, on Linux. */
const FILES = {
  'claude-code': '.claude.json',
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/opencode.jsonc',
  zed: '.config/zed/settings.json',
  cline: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
} as const;

async function put(box: Sandbox, client: keyof typeof FILES, text: string): Promise<string> {
  const file = join(box.home, FILES[client]);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** A `plugboard` on the PATH. */
async function onPath(box: Sandbox): Promise<Record<string, string>> {
  const bin = join(box.home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'plugboard'), '#!/bin/sh\n', { mode: 0o755 });
  return { PATH: `${bin}:${box.env['PATH'] ?? ''}` };
}

const CURSOR = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n';

describe('plugboard install', () => {
  verifies('GWY-01');

  it('writes the gateway into the file of a client, and uninstall removes it', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    const file = await put(box, 'cursor', CURSOR);
    const run = await box.run(['install', 'cursor', '--yes'], { env });
    expect(run.stderr).toBe('Written. Start Cursor again to see it.\n');
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(
      [
        'Cursor (~/.cursor/mcp.json)',
        '  +     "plugboard": {',
        '  +       "command": "plugboard",',
        '  +       "args": [',
        '  +         "serve"',
        '  +       ]',
        '  +     }',
        '',
      ].join('\n'),
    );
    expect(await readFile(file, 'utf8')).toBe(
      CURSOR.replace(
        '"x" }\n',
        '"x" },\n    "plugboard": {\n      "command": "plugboard",\n      "args": [\n        "serve"\n      ]\n    }\n',
      ),
    );
    const again = await box.run(['install', 'cursor', '--yes'], { env });
    expect(again).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Cursor (~/.cursor/mcp.json): nothing to change\n',
    });
    expect((await box.run(['uninstall', 'cursor', '--yes'], { env })).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(CURSOR);
  });

  it('deletes a file that install created on uninstall, unless it has other content', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    const file = join(box.home, FILES.cursor);
    await box.run(['install', 'cursor', '--yes'], { env });
    await box.run(['install', 'cursor', '--http', '--yes'], { env });
    const run = await box.run(['uninstall', 'cursor', '--yes'], { env });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(
      'Cursor (~/.cursor/mcp.json): nothing else is in this file, so it is deleted\n  - {\n',
    );
    await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' });
    await box.run(['install', 'cursor', '--yes'], { env });
    const text = (await readFile(file, 'utf8')).replace('{', '{\n  "theme": "dark",');
    await writeFile(file, text);
    const other = await box.run(['uninstall', 'cursor', '--yes'], { env });
    expect(other.stdout).not.toContain('deleted');
    expect(await readFile(file, 'utf8')).toBe('{\n  "theme": "dark"\n}\n');
  });

  it('stores no token in its record of the file of a client', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    await put(box, 'cursor', CURSOR);
    await box.run(['install', 'cursor', '--yes'], { env });
    await box.run(['install', 'cursor', '--http', '--yes'], { env });
    const state = join(box.home, '.state/plugboard/gateway');
    const token = (await readFile(join(state, 'token'), 'utf8')).trim();
    const record = join(state, 'installed/cursor.json');
    expect(await readFile(record, 'utf8')).not.toContain(token);
    expect((await stat(record)).mode & 0o777).toBe(0o600);
    await box.run(['uninstall', 'cursor', '--yes']);
    await expect(access(record)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('starts the gateway by the path of its script if plugboard is not on the PATH', async () => {
    await using box = await sandbox({});
    const file = await put(box, 'gemini', '{}');
    expect((await box.runProcess(['install', 'gemini', '--yes'])).code).toBe(0);
    const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
      mcpServers: { plugboard: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.plugboard;
    expect(command).toBe(process.execPath);
    expect(args).toEqual([expect.stringMatching(/bin\/plugboard\.js$/), 'serve']);
  });

  it('writes entries that import can read, for every client', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    for (const client of Object.keys(FILES) as (keyof typeof FILES)[]) await put(box, client, '');
    const run = await box.run(['install', '--all', '--yes'], { env });
    expect(run.code).toBe(0);
    // The entry with its own name is left out.
    for (const path of Object.values(FILES)) {
      const file = join(box.home, path);
      const text = await readFile(file, 'utf8');
      const key = /(?<="|mcp_servers\.)plugboard(?=":|\])/;
      await writeFile(file, text.replace(key, 'other'));
    }
    const found = documentOf(await box.run(['import', '--dry-run', '--json'], { env })) as {
      servers: { name: string; fields: string[]; sources: { host: string }[] }[];
    };
    expect(found.servers.map(({ name }) => name)).toEqual(['other']);
    expect(found.servers[0]?.fields).toEqual(['command', 'args']);
    expect(found.servers[0]?.sources.map(({ host }) => host).toSorted()).toEqual(
      Object.keys(FILES).toSorted(),
    );
  });

  it('never treats the gateway as one of its own servers, neither by import nor through Claude Code', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    for (const client of Object.keys(FILES) as (keyof typeof FILES)[]) await put(box, client, '');
    for (const over of [[], ['--http', '8080']]) {
      expect((await box.run(['install', '--all', '--yes', ...over], { env })).code).toBe(0);
      const found = documentOf(await box.run(['import', '--dry-run', '--json'], { env }));
      expect(found).toMatchObject({ servers: [] });
      const { stdout } = await box.run(['list'], { env });
      expect(stdout).not.toMatch(/^plugboard /m);
    }
  });

  it('writes the address and the token for HTTP, and never shows the token', async () => {
    await using box = await sandbox({});
    for (const client of ['vscode', 'windsurf', 'codex', 'opencode'] as const) {
      await put(box, client, '');
    }
    const run = await box.run(['install', '--all', '--http', '8080', '--yes']);
    expect(run.code).toBe(0);
    const file = join(box.home, '.state/plugboard/gateway/token');
    const token = (await readFile(file, 'utf8')).trim();
    expect(run.stdout).toContain('Bearer (the token)');
    expect(run.stdout + run.stderr).not.toContain(token);
    const url = 'http://127.0.0.1:8080/mcp';
    const headers = { Authorization: `Bearer ${token}` };
    const read = async (client: keyof typeof FILES): Promise<unknown> =>
      JSON.parse(await readFile(join(box.home, FILES[client]), 'utf8'));
    expect(await read('vscode')).toEqual({
      servers: { plugboard: { type: 'http', url, headers } },
    });
    expect(await read('windsurf')).toEqual({
      mcpServers: { plugboard: { serverUrl: url, headers } },
    });
    expect(await read('opencode')).toEqual({
      mcp: { plugboard: { type: 'remote', url, headers, enabled: true } },
    });
    expect(await readFile(join(box.home, FILES.codex), 'utf8')).toContain(`url = "${url}"`);
  });

  it('makes a file private if it gets the token, and only then', async () => {
    await using box = await sandbox({});
    const [cursor, codex] = [await put(box, 'cursor', '{}'), await put(box, 'codex', '')];
    const modes = async (): Promise<readonly number[]> =>
      Promise.all([cursor, codex].map(async (file) => (await stat(file)).mode & 0o777));
    await Promise.all([chmod(cursor, 0o644), chmod(codex, 0o664)]);
    const env = await onPath(box);
    await box.run(['install', 'cursor', 'codex', '--yes'], { env });
    expect(await modes()).toEqual([0o644, 0o664]);
    await box.run(['install', 'cursor', 'codex', '--http', '--yes'], { env });
    expect(await modes()).toEqual([0o600, 0o600]);
    expect(await readFile(cursor, 'utf8')).toContain('Bearer ');
  });

  it('leaves an invalid file unchanged, and edits the others', async () => {
    await using box = await sandbox({});
    const broken = await put(box, 'zed', '{ "context_servers": {');
    const fine = await put(box, 'cline', '{}');
    const run = await box.run(['install', 'zed', 'cline', '--yes']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      'Zed: ~/.config/zed/settings.json is left as it is, since it cannot be understood',
    );
    expect(await readFile(broken, 'utf8')).toBe('{ "context_servers": {');
    expect(await readFile(fine, 'utf8')).toContain('"plugboard"');
  });

  it('keeps another server with the same name', async () => {
    await using box = await sandbox({});
    const text = '{ "mcpServers": { "plugboard": { "command": "mine" } } }';
    const file = await put(box, 'cursor', text);
    for (const what of ['install', 'uninstall']) {
      const run = await box.run([what, 'cursor', '--yes']);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('has another server called "plugboard"');
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('writes nothing with --dry-run, or if it cannot ask', async () => {
    await using box = await sandbox({});
    const file = await put(box, 'cursor', CURSOR);
    const dry = await box.run(['install', 'cursor', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: 'Nothing was written.\n' });
    const silent = await box.run(['install', 'cursor']);
    expect(silent.code).toBe(1);
    expect(silent.stderr).toContain('Write it: plugboard install cursor --yes');
    const words = ['install', '--all', '--http', '8080', '--no-token', '--profile', 'x'];
    const again = await box.run(words);
    expect(again.stderr).toContain(`Write it: plugboard ${words.join(' ')} --yes`);
    const later = await box.run(['install', 'cursor', '--background']);
    expect(later.stderr).toContain('Write it: plugboard install cursor --background --yes');
    expect(await readFile(file, 'utf8')).toBe(CURSOR);
  });

  it('shows nothing of the other servers in a file of one line', async () => {
    await using box = await sandbox({});
    await put(box, 'cursor', '{"mcpServers":{"a":{"env":{"KEY":"s3cret"}}}}');
    const run = await box.run(['install', 'cursor', '--yes'], { env: await onPath(box) });
    expect(run.stdout).toBe(
      'Cursor (~/.cursor/mcp.json)\n  + "plugboard": {"command":"plugboard","args":["serve"]}\n',
    );
    const other = await box.run(['install', 'cursor', '--http', '--yes']);
    expect(other.stdout).toContain('url":"http://127.0.0.1:4343/mcp"');
    expect(other.stdout).not.toContain('s3cret');
  });

  it('prints its changes with --json, without text of the files', async () => {
    await using box = await sandbox({});
    await put(box, 'cursor', '{ "mcpServers": { "a": { "env": { "KEY": "s3cret" } } } }');
    await put(box, 'zed', '{');
    const run = await box.run(['install', 'cursor', 'zed', '--yes', '--json']);
    expect(run.stdout).not.toContain('s3cret');
    expect(JSON.parse(run.stdout)).toMatchObject({
      clients: [
        { client: 'cursor', change: 'added', isWritten: true },
        { client: 'zed', change: 'none', isWritten: false, error: { kind: 'not-understood' } },
      ],
    });
    expect(run.code).toBe(1);
  });

  it('creates a missing file, readable by the user alone, and reports invalid names', async () => {
    await using box = await sandbox({});
    expect((await box.run(['install', 'claude-code', '--yes'])).code).toBe(0);
    const file = join(box.home, FILES['claude-code']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await box.run(['install', 'cursr'])).stderr).toContain('did you mean "cursor"?');
    expect((await box.run(['install'])).stderr).toContain('no client is named');
    const desktop = await box.run(['install', 'claude-desktop', '--http', '--yes']);
    expect(desktop.stderr).toContain('Claude Desktop reaches no server over HTTP by its file');
  });
});

describe('plugboard install --background', () => {
  it('names servers of the folder that the gateway in the background does not have', async () => {
    await using box = await sandbox({ shared: { command: 'a' } });
    await put(box, 'cursor', '{}');
    await box.run(['add', 'mine', '--', 'b']);
    await box.run(['add', 'everywhere', '--scope', 'user', '--', 'c']);
    const words = [
      "The gateway in the background has none of this folder's servers: mine, shared",
      'To offer one, add it for yourself: plugboard add mine --scope user -- COMMAND',
      '',
    ].join('\n');
    const planned = await box.run(['install', 'cursor', '--background', '--dry-run']);
    expect(planned.stderr).toBe(`Nothing was written.\n${words}`);
    const without = await box.run(['install', 'cursor', '--dry-run']);
    expect(without.stderr).toBe('Nothing was written.\n');
  });

  verifies('GWY-01', 'GWY-03');

  it('moves six clients to one gateway with import and install, and uninstall reverts that', async () => {
    await using box = await sandbox({});
    const env = await onPath(box);
    const six = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini'] as const;
    const cursor = JSON.stringify({ mcpServers: { one: scriptedServer() } }, undefined, 2);
    const first: Readonly<Record<string, string>> = { cursor, codex: 'model = "x"\n' };
    const before = new Map<string, string>();
    for (const client of six) {
      const text = first[client] ?? '{}\n';
      before.set(await put(box, client, text), text);
    }
    expect((await box.run(['import', '--all'], { env })).code).toBe(0);
    const port = await freePort();
    const words = ['install', '--all', '--background', '--http', `${port}`, '--yes'];
    const run = await box.runProcess(words, { env });
    try {
      expect(run).toMatchObject({ code: 0 });
      const url = `http://127.0.0.1:${port}/mcp`;
      expect(run.stderr).toContain(`The gateway is running in the background at ${url}\n`);
      expect(run.stderr).toMatch(
        /Remove them there, or each tool appears twice:\n {2}one: Cursor, .*mcp\.json:3\n$/,
      );
      const token = await readFile(join(box.home, '.state/plugboard/gateway/token'), 'utf8');
      const entry = JSON.parse(await readFile(join(box.home, FILES.cursor), 'utf8')) as {
        mcpServers: { plugboard: { url: string; headers: Record<string, string> } };
      };
      const { plugboard } = entry.mcpServers;
      expect(plugboard).toEqual({ url, headers: { Authorization: `Bearer ${token.trim()}` } });
      const client = new Client({ name: 'cursor', version: '1' });
      const requestInit = { headers: plugboard.headers };
      const at = new URL(plugboard.url);
      await client.connect(new StreamableHTTPClientTransport(at, { requestInit }));
      const names = async (): Promise<readonly string[]> =>
        (await client.listTools()).tools.map(({ name }) => name);
      await waitUntil(async () => (await names()).includes('one__echo'), {
        describe: 'the tools of the imported server',
      });
      await client.close();
      // This client starts a gateway itself, since it supports no addresses.
      const desktop = await readFile(join(box.home, FILES['claude-desktop']), 'utf8');
      expect(desktop).toContain('"serve"');
      const again = await box.run(['install', '--all', '--http', '--yes'], { env });
      expect(again.stderr.match(/nothing to change/g)).toHaveLength(six.length);
      const undone = await box.run(['uninstall', '--all', '--yes'], { env });
      expect(undone.code).toBe(0);
      expect(undone.stdout).toContain('Bearer (the token)');
      expect(undone.stdout + undone.stderr).not.toContain(token.trim());
      expect(undone.stderr).toContain(
        'A gateway is still running. Stop it: plugboard serve --stop\n',
      );
      for (const [file, text] of before) {
        expect(await readFile(file, 'utf8')).toBe(text);
      }
    } finally {
      await box.run(['serve', '--stop']);
    }
  });

  it('starts the gateway for clients that already have the entry, except with --dry-run', async () => {
    await using box = await sandbox({});
    await put(box, 'cursor', CURSOR);
    const port = await freePort();
    const words = ['install', 'cursor', '--background', '--http', `${port}`];
    try {
      expect((await box.runProcess([...words, '--yes'])).code).toBe(0);
      expect((await box.run(['serve', '--stop'])).stderr).toContain('Stopped the gateway');
      expect((await box.run([...words, '--dry-run'])).stderr).not.toContain(
        'The gateway is running',
      );
      const again = await box.runProcess(words);
      expect(again).toMatchObject({ code: 0, stdout: '' });
      expect(again.stderr).toContain(': nothing to change\n');
      expect(again.stderr).toContain(
        `The gateway is running in the background at http://127.0.0.1:${port}/mcp\n`,
      );
    } finally {
      await box.run(['serve', '--stop']);
    }
  });

  it('names servers that are still in the file of a client by their names there', async () => {
    await using box = await sandbox({});
    const one = { command: 'one', args: ['a'] };
    const other = { command: 'other', args: ['b'] };
    const file = (files: object): string => JSON.stringify({ mcpServers: { files } }, undefined, 2);
    await put(box, 'cursor', file(one));
    await put(box, 'claude-desktop', file(other));
    expect((await box.run(['import', '--all'])).stderr).toContain('"files-');
    const run = await box.run(['install', '--all', '--yes']);
    const left = run.stderr.split('twice:\n')[1]?.trimEnd().split('\n') ?? [];
    expect(left.map((line) => line.replace(/, .*/, '')).toSorted()).toEqual([
      '  files: Claude Desktop',
      '  files: Cursor',
    ]);
  });

  it.each(['install', 'uninstall'])(
    'reports with %s --all that no client was found',
    async (what) => {
      await using box = await sandbox({});
      const run = await box.run([what, '--all', '--dry-run']);
      expect(run).toMatchObject({
        code: 0,
        stdout: '',
        stderr: 'No MCP client was found on this machine, so nothing changes.\n',
      });
    },
  );

  it('reports with --http that no gateway is running', async () => {
    await using box = await sandbox({});
    await put(box, 'cursor', CURSOR);
    const run = await box.run(['install', 'cursor', '--http', '--yes']);
    expect(run.stderr).toContain('No gateway is running yet.');
  });
});
