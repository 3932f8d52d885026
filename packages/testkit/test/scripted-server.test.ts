import { describe, expect, it } from 'vitest';
import { scriptedServer } from '../src/scripted-server.ts';
import type { Script } from '../src/scripted-server/script.ts';
import { tempFolder } from '../src/temp-folder.ts';
import { waitUntil } from '../src/wait-until.ts';
import { isAlive } from '../src/processes.ts';
import { modernMeta, RawClient } from './raw-client.ts';

const start = (script: Script = {}): RawClient => new RawClient(scriptedServer(script));
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw' } };
const modern = { _meta: modernMeta };

interface Result {
  readonly content?: readonly { readonly text?: string; readonly data?: string }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly structuredContent?: { readonly grandchildren: number[] };
}
const read = (result: object | undefined): Result => result ?? {};
const textOf = (result: object | undefined) => read(result).content?.[0]?.text;
const names = (result: object | undefined) => read(result).tools?.map(({ name }) => name);

describe('the eras of the scripted server', () => {
  it('include the legacy era at the requested revision, or its own when that is unknown', async () => {
    await using client = start({ eras: ['legacy'], instructions: 'Be kind.' });
    expect((await client.request('initialize', hello)).result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      instructions: 'Be kind.',
      serverInfo: { name: 'scripted', version: '1.0.0' },
    });
    const other = await client.request('initialize', { ...hello, protocolVersion: '1999-01-01' });
    expect(other.result?.['protocolVersion']).toBe('2025-11-25');
    expect((await client.request('ping')).result).toEqual({});
    expect((await client.request('server/discover', modern)).error?.code).toBe(-32601);
  });

  it('include the modern era, which it declares when it speaks no other', async () => {
    await using client = start({ eras: ['modern'], ttlMs: 5 });
    const _meta = {
      'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1.0.0' },
    };
    expect((await client.request('server/discover', modern)).result).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      resultType: 'complete',
      ttlMs: 5,
      cacheScope: 'private',
      _meta,
    });
    expect((await client.request('tools/list', modern)).result).toMatchObject({
      resultType: 'complete',
      ttlMs: 5,
      cacheScope: 'private',
    });
    expect((await client.call('echo', { message: 'hi' }, modernMeta)).result).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      resultType: 'complete',
      _meta,
    });
    expect((await client.request('initialize', hello)).error).toEqual({
      code: -32022,
      message: 'Unsupported protocol version',
      data: { supported: ['2026-07-28'], requested: '2025-06-18' },
    });
    expect((await client.request('tools/list')).error?.code).toBe(-32602);
    const future = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect((await client.request('tools/list', { _meta: future })).error?.code).toBe(-32022);
  });

  it('are both by default', async () => {
    await using client = start();
    expect((await client.request('server/discover', modern)).result).toBeDefined();
    const { result } = await client.request('initialize', hello);
    expect(result).toMatchObject({ serverInfo: { name: 'scripted', version: '1.0.0' } });
  });
});

describe('the built-in tools of the scripted server', () => {
  it('answer with every kind of content', async () => {
    await using client = start();
    expect((await client.call('add', { a: 1, b: 2 })).result).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    });
    const image = read((await client.call('image')).result).content?.[0];
    expect(image).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const signature = Buffer.from(image?.data ?? '', 'base64').subarray(1, 4);
    expect(signature.toString()).toBe('PNG');
    expect((await client.call('audio')).result?.['content']).toMatchObject([
      { type: 'audio', mimeType: 'audio/wav' },
    ]);
    expect((await client.call('resource')).result?.['content']).toMatchObject([
      { type: 'resource', resource: { uri: 'scripted://notes/1', text: 'a note' } },
      { type: 'resource_link', uri: 'scripted://notes/2', name: 'note-2' },
    ]);
    expect(textOf((await client.call('big', { bytes: 70_000 })).result)).toHaveLength(70_000);
  });

  it('fail as tools, requests and clients fail', async () => {
    await using client = start();
    expect((await client.call('error')).result).toMatchObject({ isError: true });
    expect((await client.call('echo', { message: 1 })).result).toMatchObject({ isError: true });
    expect((await client.call('rpc-error')).error?.code).toBe(-32603);
    expect((await client.call('nobody')).error?.code).toBe(-32602);
    expect((await client.request('no/such')).error?.code).toBe(-32601);
  });

  it('report its environment, folder and process', async () => {
    await using folder = await tempFolder();
    const options = { cwd: folder.path, env: { ONLY: 'this' } };
    await using client = new RawClient(scriptedServer(), options);
    expect(JSON.parse(String(textOf((await client.call('env')).result)))).toEqual({ ONLY: 'this' });
    expect(textOf((await client.call('cwd')).result)).toBe(folder.path);
    expect((await client.call('pids')).result?.['structuredContent']).toEqual({
      pid: client.pid,
      grandchildren: [],
    });
  });

  it('sleep with progress when a token is given, and stop when cancelled', async () => {
    await using client = start();
    const cancelled = client.send('tools/call', { name: 'sleep', arguments: { ms: 30 } });
    client.notify('notifications/cancelled', { requestId: cancelled });
    const slept = await client.call('sleep', { ms: 60, steps: 3 }, { progressToken: 'p' });
    expect(textOf(slept.result)).toBe('slept 60 ms');
    // The cancelled one was due long before, so its answer would be here.
    expect(client.messages.some(({ id }) => id === cancelled)).toBe(false);
    const progress = client.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, total: 3 },
      { progressToken: 'p', progress: 2, total: 3 },
      { progressToken: 'p', progress: 3, total: 3 },
    ]);
  });

  it('leave a call unanswered while others are answered', async () => {
    await using client = start();
    const never = client.send('tools/call', { name: 'never' });
    await client.call('echo', { message: 'still here' });
    expect(client.messages.some(({ id }) => id === never)).toBe(false);
  });
});

describe('the lists of the scripted server', () => {
  it('offer scripted tools with their fixed result beside chosen built-in ones', async () => {
    const tool = {
      name: 'fixed',
      description: 'Always the same',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: { type: 'object' },
      annotations: { destructiveHint: true },
    };
    const result = { content: [], structuredContent: { same: true } };
    await using client = start({ builtIns: ['echo'], tools: [{ ...tool, result }] });
    const list = await client.request('tools/list');
    expect(names(list.result)).toEqual(['echo', 'fixed']);
    expect(read(list.result).tools?.[1]).toEqual(tool);
    expect((await client.call('fixed')).result).toEqual(result);
  });

  it('are cut into pages, and an unknown cursor is refused', async () => {
    const builtIns = ['echo', 'add', 'image'];
    await using client = start({ builtIns, pages: { kind: 'normal', size: 2 } });
    const first = await client.request('tools/list');
    const cursor = first.result?.['nextCursor'];
    const second = await client.request('tools/list', { cursor });
    expect([names(first.result), names(second.result), second.result?.['nextCursor']]).toEqual([
      ['echo', 'add'],
      ['image'],
      undefined,
    ]);
    expect((await client.request('tools/list', { cursor: 'made up' })).error?.code).toBe(-32602);
  });

  it('can have endless pages, each with its own cursor', async () => {
    await using client = start({ builtIns: ['echo'], pages: { kind: 'endless' } });
    const seen: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < 3; page += 1) {
      const { result } = await client.request('tools/list', { cursor });
      cursor = result?.['nextCursor'];
      seen.push([names(result), cursor]);
    }
    expect(seen).toEqual([
      [['echo'], 'page-1'],
      [['endless-1'], 'page-2'],
      [['endless-2'], 'page-3'],
    ]);
  });

  it('can repeat the same cursor', async () => {
    await using client = start({ builtIns: ['echo'], pages: { kind: 'repeated-cursor' } });
    const first = await client.request('tools/list');
    const second = await client.request('tools/list', { cursor: first.result?.['nextCursor'] });
    expect(second.result).toEqual(first.result);
  });

  it('can fail at first, and be late', async () => {
    await using client = start({ failListTimes: 1, listDelayMs: 50, builtIns: ['echo'] });
    const began = performance.now();
    expect((await client.request('tools/list')).error?.code).toBe(-32603);
    expect(performance.now() - began).toBeGreaterThanOrEqual(49);
    expect(names((await client.request('tools/list')).result)).toEqual(['echo']);
  });
});

describe('the wire faults of the scripted server', () => {
  it('include noise between its answers', async () => {
    await using client = start({ chatty: true });
    expect(textOf((await client.call('echo', { message: 'hi' })).result)).toBe('hi');
    expect(client.lines.slice(0, -1)).toEqual([
      'Scripted server v1.0.0',
      '',
      '{almost json',
      'not a message, just talk',
    ]);
  });

  it('include broken JSON, for all or for the named methods', async () => {
    await using broken = start({ invalidJson: 'always' });
    broken.send('initialize', hello);
    const line = await waitUntil(() => broken.lines[0], { describe: 'a line' });
    expect(() => JSON.parse(line)).toThrow(SyntaxError);

    await using partly = start({ invalidJson: ['tools/call'] });
    expect((await partly.request('initialize', hello)).result).toBeDefined();
    partly.send('tools/call', { name: 'echo', arguments: { message: 'hi' } });
    await waitUntil(() => partly.lines[1], { describe: 'a second line' });
    expect(partly.messages).toHaveLength(1);
  });

  it('include a line of an exact number of bytes, in both eras', async () => {
    const bytes = 3_000_000;
    await using client = start({ hugeLineBytes: bytes });
    await client.call('huge');
    await client.call('huge', {}, modernMeta);
    expect(client.lines.map((line) => Buffer.byteLength(line))).toEqual([bytes, bytes]);
  });

  it('include a flood on stderr beside its answers', async () => {
    await using client = start({ stderrFlood: 300_000 });
    await client.call('echo', { message: 'hi' });
    await waitUntil(() => client.stderr.length === 300_000, { describe: 'all of the flood' });
  });

  it('include silence', async () => {
    await using client = start({ silent: true });
    client.send('initialize', hello);
    client.process.stdin!.end();
    expect(await client.ended).toEqual({ code: 0, signal: null });
    expect(client.lines).toEqual([]);
  });
});

describe('the process faults of the scripted server', () => {
  it('include a late start', async () => {
    const began = performance.now();
    await using client = start({ startDelayMs: 100 });
    await client.request('initialize', hello);
    expect(performance.now() - began).toBeGreaterThanOrEqual(100);
  });

  it('include an exit at the start, with output', async () => {
    await using client = start({ exitAtStart: { exit: 3, stderr: 'no key\n' } });
    expect(await client.ended).toEqual({ code: 3, signal: null });
    expect(client.stderr).toBe('no key\n');
  });

  it.each(['initialize', 'server/discover'])(
    'include an exit right after the answer to %s',
    async (method) => {
      await using client = start({ exitAfterInitialize: { exit: 4 } });
      client.send(method, { ...hello, _meta: modernMeta });
      expect(await client.ended).toEqual({ code: 4, signal: null });
      expect(client.messages).toHaveLength(1);
    },
  );

  it('include a crash in a call, by an exit code or a signal', async () => {
    await using exiting = start({ crashOn: { tool: 'add', stderr: 'out of luck', exit: 9 } });
    await exiting.call('echo', { message: 'before' });
    exiting.send('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(await exiting.ended).toEqual({ code: 9, signal: null });
    expect([exiting.stderr, exiting.messages.length]).toEqual(['out of luck', 1]);

    await using killed = start({ crashOn: { tool: 'add', exit: 'SIGKILL' } });
    killed.send('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('include an exit when the tool for it is called', async () => {
    await using client = start();
    client.send('tools/call', { name: 'exit', arguments: { code: 7 } });
    expect(await client.ended).toEqual({ code: 7, signal: null });
  });

  it('include an exit when stdin ends, also in the middle of a call', async () => {
    await using client = start();
    client.send('tools/call', { name: 'sleep', arguments: { ms: 60_000 } });
    client.process.stdin!.end();
    expect(await client.ended).toEqual({ code: 0, signal: null });
  });

  it('include ignoring the end of stdin and signals, with a message', async () => {
    await using client = start({ ignoreStdinEnd: true, ignoreSignals: ['SIGINT', 'SIGTERM'] });
    await client.call('echo', { message: 'ready' });
    client.process.stdin!.end();
    await waitUntil(() => client.stderr === 'ignored the end of stdin\n', { describe: 'the end' });
    client.process.kill('SIGINT');
    await waitUntil(() => client.stderr.endsWith('ignored SIGINT\n'), { describe: 'SIGINT' });
    client.process.kill('SIGTERM');
    await waitUntil(() => client.stderr.endsWith('ignored SIGTERM\n'), { describe: 'SIGTERM' });
    client.process.kill('SIGKILL');
    expect(await client.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('include grandchildren, whose pids it announces', async () => {
    await using client = start({ grandchildren: 2, grandchildrenStdio: 'inherit' });
    const { result } = await client.call('pids');
    const { grandchildren } = read(result).structuredContent!;
    const announced = grandchildren.map((pid) => `grandchild ${pid}\n`).join('');
    await waitUntil(() => client.stderr === announced, { describe: 'the announcement' });
    client.process.stdin!.end();
    await waitUntil(() => !isAlive(client.pid), { describe: 'the server to end' });
    expect(grandchildren.map(isAlive)).toEqual([true, true]);
  });
});
