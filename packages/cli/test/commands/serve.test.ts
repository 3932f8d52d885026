// The built command, started by a client and by a person.

import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { allProcesses, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { finished, PLUGBOARD, type Sandbox, sandbox } from '../sandbox.ts';
import { place, signIn } from '../signing-in.ts';

interface Served extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly address: { readonly url: string; readonly tokenFile?: string; servers: string[] };
}

/** A gateway over HTTP at a free port. */
async function served(box: Sandbox, ...words: readonly string[]): Promise<Served> {
  const child = box.start(['serve', '--http', '0', '--json', ...words]);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) throw new Error(`it did not start: ${complaint}`);
  return {
    child,
    address: JSON.parse(first.value) as Served['address'],
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function connected(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}

function initialize(url: string, headers: Record<string, string>): Promise<Response> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  };
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

describe('plugboard serve', () => {
  verifies('GWY-01');

  it('offers a search instead of all tools with --mode search', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await using serving = await served(box, '--no-token', '--yes', '--mode', 'search');
    const client = await connected(serving.address.url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tools', 'call_tool']);
    const given = { name: 'one.echo', arguments: { message: 'hi' } };
    const result = await client.callTool({ name: 'call_tool', arguments: given });
    expect(JSON.stringify(result.content)).toContain('hi');
    await client.close();
  });

  it('offers the servers over stdio to a client that starts it, and ends with it', async () => {
    await using box = await sandbox({ one: scriptedServer(), two: scriptedServer() });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PLUGBOARD, 'serve', '--yes'],
      cwd: box.project,
      env: { ...box.env },
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { pid } = transport;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['one__echo', 'two__echo']),
    );
    const result = await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } });
    expect(JSON.stringify(result.content)).toContain('hi');
    const started = allProcesses()
      .filter(({ parent }) => parent === pid)
      .map((each) => each.pid);
    expect(started.length).toBeGreaterThan(0);
    await client.close();
    await waitUntil(() => !allProcesses().some((each) => [pid, ...started].includes(each.pid)), {
      describe: 'the gateway and its servers to be gone',
    });
  });

  it('ends with 0 at a signal, with all its servers, over stdio', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    const child = box.start(['serve', '--yes']);
    const ended = finishedOpen(child);
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    send({ id: 1, method: 'initialize', params });
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ id: 1 });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'one__pids', arguments: {} } });
    const answered = JSON.parse((await nextAnswer(lines, 2)) ?? '{}') as {
      result: { content: [{ text: string }] };
    };
    const { pid } = JSON.parse(answered.result.content[0].text) as { pid: number };
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(allProcesses().some((each) => each.pid === pid)).toBe(false);
  });

  it('requires over HTTP the token of its file, which only the user can read', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await using gateway = await served(box);
    const { url, tokenFile = '', servers } = gateway.address;
    expect(servers).toEqual(['one']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(tokenFile).toBe(`${box.home}/.state/plugboard/gateway/token`);
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    const token = (await readFile(tokenFile, 'utf8')).trim();
    expect((await initialize(url, {})).status).toBe(401);
    const other = await initialize(url, { Authorization: `Bearer ${token}x` });
    expect(other.status).toBe(401);
    expect(await other.text()).toContain('plugboard install --all --http');
    const client = await connected(url, token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('one__echo');
    await client.close();
  });

  it('keeps the token from one start to the next', async () => {
    await using box = await sandbox({});
    const file = `${box.home}/.state/plugboard/gateway/token`;
    {
      await using _ = await served(box);
    }
    const token = await readFile(file, 'utf8');
    await using gateway = await served(box);
    expect(await readFile(file, 'utf8')).toBe(token);
    expect((await initialize(gateway.address.url, bearer(token))).status).toBe(200);
  });

  it('accepts a new token from its file while it runs, and then rejects the old one', async () => {
    await using box = await sandbox({});
    await using gateway = await served(box);
    const { url, tokenFile = '' } = gateway.address;
    const before = await readFile(tokenFile, 'utf8');
    const statusOf = async (token: string): Promise<number> =>
      (await initialize(url, bearer(token))).status;
    await writeFile(tokenFile, 'short');
    await rm(tokenFile);
    expect(await statusOf(before)).toBe(200);
    await box.write('../home/.cursor/mcp.json', '{}');
    expect((await box.run(['install', 'cursor', '--http', '--yes'])).code).toBe(0);
    // The change ends all connections, so it can cut off a request.
    const statusOrCut = () => statusOf(before).catch(() => 'cut');
    await waitUntil(async () => (await statusOrCut()) === 401, {
      describe: 'the token of before to be refused',
    });
    expect(await statusOf(await readFile(tokenFile, 'utf8'))).toBe(200);
  });

  it('prints its address and the file of the token, and not the token itself', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    const child = box.start(['serve', '--http', '0']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await waitUntil(() => said.includes('Ctrl-C'), { describe: 'the address' });
    child.kill('SIGINT');
    const { code, stdout } = await finished(child);
    const token = await readFile(`${box.home}/.state/plugboard/gateway/token`, 'utf8');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(said).toContain('Serving 1 server at http://127.0.0.1:');
    expect(said).toContain('~/.state/plugboard/gateway/token');
    expect(said).not.toContain(token.trim());
  });

  it('names the servers that are not served until the user approves them', async () => {
    await using box = await sandbox();
    await box.write('.mcp.json', JSON.stringify({ mcpServers: { one: scriptedServer() } }));
    const child = box.start(['serve', '--http', '0']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await waitUntil(() => said.includes('Ctrl-C'), { describe: 'the address' });
    child.kill('SIGINT');
    await finished(child);
    expect(said).toContain('Not served: one, which came with this folder or a plugin.');
    expect(said).toContain('plugboard trust one\n');
    expect(said).toContain('Serving 0 servers at http://127.0.0.1:');
  });

  it('requires no token with --no-token, on this machine only', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await using gateway = await served(box, '--no-token');
    const client = await connected(gateway.address.url);
    expect((await client.listTools()).tools).not.toEqual([]);
    await client.close();
    const foreign = { Origin: 'https://evil.example' };
    expect((await initialize(gateway.address.url, foreign)).status).toBe(403);
    const refused = await box.run(['serve', '--http', '0.0.0.0:0', '--no-token']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('without a token, everyone who reaches 0.0.0.0');
  });

  it('picks up a sign-in by another command, and notifies its clients', async () => {
    await using here = await place();
    await using gateway = await served(here.box, '--no-token', '--yes');
    const client = await connected(gateway.address.url);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    const stateOf = async (): Promise<unknown> => {
      const { stdout } = await here.box.run(['status', '--json']);
      const [shown] = (JSON.parse(stdout) as { gateways: { servers: { state: string }[] }[] })
        .gateways;
      return shown?.servers[0]?.state;
    };
    await client.listTools();
    await waitUntil(async () => (await stateOf()) === 'needs-auth', {
      describe: 'the server to want a sign-in',
    });
    expect((await signIn(here)).code).toBe(0);
    expect(await stateOf()).toBe('ready');
    await waitUntil(() => changes > 0, { describe: 'the announcement' });
    await client.close();
  });

  it('offers the built-in servers that are named, under the same rules', async () => {
    await using box = await sandbox({});
    await box.write('notes.txt', 'hello');
    await using gateway = await served(box, '--include', 'workspace,codebase', '--no-token');
    const client = await connected(gateway.address.url);
    // A list does not wait for slow servers.
    await waitUntil(
      async () => {
        const names = (await client.listTools()).tools.map(({ name }) => name);
        return names.includes('codebase__search_code') && names.includes('workspace__write_file');
      },
      { describe: 'the tools of both servers' },
    );
    const result = await client.callTool({
      name: 'workspace__write_file',
      arguments: { path: 'new.txt', content: 'x' },
    });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(
      'plugboard permissions workspace/write_file --allow',
    );
    await client.close();
  });

  it('offers the servers and tools of a profile, over HTTP and over stdio', async () => {
    await using box = await sandbox({});
    const profiles = {
      some: { servers: ['one'], tools: { include: ['*/e*', 'one/pids'], exclude: ['one/echo'] } },
      odd: { servers: ['oen'] },
    };
    const settings = {
      mcpServers: { one: scriptedServer(), two: scriptedServer() },
      gateway: { profiles },
    };
    await box.write('../home/.config/plugboard/settings.json', JSON.stringify(settings));
    await using gateway = await served(box, '--no-token', '--yes');
    const all = await connected(gateway.address.url);
    await waitUntil(
      async () => {
        const listed = (await all.listTools()).tools.map(({ name }) => name);
        return listed.includes('one__echo') && listed.includes('two__echo');
      },
      { describe: 'the tools of both servers' },
    );
    await all.close();
    const client = await connected(`${gateway.address.url}/profile/some`);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('one__pids');
    expect(names.filter((name) => !/^one__(?:e|pids)/.test(name))).toEqual([]);
    expect(names).not.toContain('one__echo');
    const hidden = client.callTool({ name: 'one__echo', arguments: { message: 'x' } });
    await expect(hidden).rejects.toThrow('There is no tool');
    await client.close();
    const list = await box.run(['list']);
    expect(list.stderr).toContain('names "oen", which is not configured');
    expect(list.stderr).toContain('did you mean "one"?');
    const unknown = await box.run(['serve', '--profile', 'sme']);
    expect(unknown.stderr).toContain('there is no profile "sme"\n  fix: did you mean "some"?');
    const over = box.start(['serve', '--profile', 'some']);
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    over.stdin.write(line({ id: 1, method: 'initialize', params: hello }));
    over.stdin.write(line({ id: 2, method: 'tools/list' }));
    const lines = createInterface({ input: over.stdout })[Symbol.asyncIterator]();
    const listed = await nextAnswer(lines, 2);
    expect(listed).toContain('one__pids');
    expect(listed).not.toContain('two__');
    over.stdin.end();
    await finishedOpen(over);
  });

  it('follows edits of profiles while it runs, and notifies connected clients', async () => {
    await using box = await sandbox({});
    const write = async (profiles: object): Promise<void> => {
      const settings = {
        mcpServers: { one: scriptedServer(), two: scriptedServer() },
        gateway: { profiles },
      };
      await box.write('../home/.config/plugboard/settings.json', JSON.stringify(settings));
    };
    await write({ some: { servers: ['one'] } });
    await using gateway = await served(box, '--no-token', '--yes');
    const url = `${gateway.address.url}/profile/some`;
    const client = await connected(url);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    const serversIn = async (from: Client): Promise<readonly string[]> => {
      const { tools } = await from.listTools();
      return [...new Set(tools.map(({ name }) => name.split('__')[0] ?? ''))];
    };
    await waitUntil(async () => (await serversIn(client)).join() === 'one', {
      describe: 'the tools of the first server',
    });
    const before = changes;
    await write({ some: { servers: ['two'] }, late: { mode: 'search' } });
    await waitUntil(async () => (await serversIn(client)).join() === 'two', {
      describe: 'the tools of the second server',
    });
    await waitUntil(() => changes > before, { describe: 'the announcement' });
    const late = await connected(`${gateway.address.url}/profile/late`);
    expect((await late.listTools()).tools.map(({ name }) => name)).toContain('search_tools');
    await late.close();
    await write({});
    await waitUntil(async () => (await initialize(url, {})).status === 404, {
      describe: 'the profile to be gone',
    });
    await client.close();
  });

  it('reports what is wrong with its options, its address and its token', async () => {
    await using box = await sandbox({});
    const errorOf = async (...words: readonly string[]): Promise<string> => {
      const { code, stderr } = await box.run(['serve', ...words]);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await errorOf('--no-token')).toContain('--no-token is about a gateway over HTTP');
    expect(await errorOf('--mode', 'fast')).toContain('no mode "fast"');
    expect(await errorOf('--include', 'files')).toContain('no built-in server "files"');
    expect(await errorOf('--http', 'a:b')).toContain('"a:b" is not an address');
    await using busy = await listeningSomewhere();
    expect(await errorOf('--http', `${busy.port}`)).toContain(
      `another program listens at 127.0.0.1:${busy.port}`,
    );
    const file = await box.write('token', 'a-token-that-all-can-read');
    expect(await errorOf('--http', '0', '--token-file', file)).toContain(
      'other users can read or change the token in token',
    );
  });
});

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

const INFO = { name: 'x', version: '1' };

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token.trim()}` };
}

async function nextAnswer(lines: AsyncIterator<string>, id: number): Promise<string | undefined> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return undefined;
    if ((JSON.parse(value) as { id?: number }).id === id) return value;
  }
}

/** The exit code, with stdin left open. */
async function finishedOpen(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

async function listeningSomewhere(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
