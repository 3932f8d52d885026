import { type Json, never, Scope } from '@plugboard/base';
import {
  dbhub,
  everything,
  filesystem,
  isAlive,
  ManualClock,
  memory,
  readTap,
  scriptedServer,
  tapped,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type CallOptions, open, type Session } from '../../src/protocol/index.ts';
import { StdioTransport } from '../../src/protocol/transport/stdio-transport.ts';
import { openOrThrow, ports, stdioLaunch } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };
const listing = { signal: never, timeoutMs: 60_000 };

async function textOf(session: Session, tool: string, args = {}): Promise<string> {
  const answered = await session.callTool({ name: tool, arguments: args }, patient);
  const block = answered.ok ? answered.value.content[0] : undefined;
  if (block?.type !== 'text') throw new Error(`no text: ${JSON.stringify(answered)}`);
  return block.text;
}

describe('a server as a process', () => {
  it('receives the given environment and no more', async () => {
    verifies('TRN-01');
    await using scope = new Scope();
    const launch = { ...stdioLaunch(scriptedServer()), env: { ONLY: 'this' } };
    const session = await openOrThrow(launch, scope);
    expect(JSON.parse(await textOf(session, 'env'))).toEqual({
      ONLY: 'this',
      PLUGBOARD_PROCESS_MARK: expect.any(String),
    });
  });

  it('starts in its folder', async () => {
    await using folder = await tempFolder();
    await using scope = new Scope();
    const launch = { ...stdioLaunch(scriptedServer()), cwd: folder.path };
    const session = await openOrThrow(launch, scope);
    expect(await textOf(session, 'cwd')).toBe(folder.path);
  });

  it('may write stray lines between its answers', async () => {
    verifies('TRN-01');
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(scriptedServer({ chatty: true })), scope);
    expect(await textOf(session, 'echo', { message: 'through the noise' })).toBe(
      'through the noise',
    );
  });

  it('fails the call whose answer is too long, and nothing else', async () => {
    verifies('TRN-01');
    await using scope = new Scope();
    const bytes = 16 * 1024 * 1024 + 1;
    const session = await openOrThrow(stdioLaunch(scriptedServer({ hugeLineBytes: bytes })), scope);
    const [huge, small] = await Promise.all([
      session.callTool({ name: 'huge', arguments: {} }, patient),
      textOf(session, 'echo', { message: 'small' }),
    ]);
    expect(huge).toEqual({
      ok: false,
      error: { kind: 'too-large', bytes, limit: 16 * 1024 * 1024 },
    });
    expect(small).toBe('small');
  });

  it('fails the call whose answer nests too deep at once, and nothing else', async () => {
    await using scope = new Scope();
    const nested = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as Json;
    const tools = [{ name: 'deep', result: { content: [], structuredContent: { nested } } }];
    const session = await openOrThrow(stdioLaunch(scriptedServer({ tools })), scope);
    const [deep, small] = await Promise.all([
      session.callTool({ name: 'deep', arguments: {} }, patient),
      textOf(session, 'echo', { message: 'small' }),
    ]);
    expect(deep).toMatchObject({ ok: false, error: { kind: 'invalid-result' } });
    expect(small).toBe('small');
  });

  it('fails running calls at once when it dies, with its last output', async () => {
    await using scope = new Scope();
    const crash = { tool: 'echo', exit: 9, stderr: 'out of memory\n' };
    const session = await openOrThrow(stdioLaunch(scriptedServer({ crashOn: crash })), scope);
    const exited = {
      kind: 'exited',
      exit: { code: 9, signal: null },
      evidence: { stderr: ['out of memory'], strayLines: 0, lastStrayLine: undefined },
    };
    const calls = await Promise.all([
      session.callTool({ name: 'never', arguments: {} }, patient),
      session.callTool({ name: 'echo', arguments: { message: 'x' } }, patient),
    ]);
    expect(calls).toEqual([
      { ok: false, error: exited },
      { ok: false, error: exited },
    ]);
    expect(await session.closed).toEqual(exited);
  });

  it('receives more than its pipe holds, without a warning', async () => {
    await using scope = new Scope();
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on('warning', listen);
    scope.defer(() => void process.off('warning', listen));
    const session = await openOrThrow(stdioLaunch(scriptedServer()), scope);
    const message = 'x'.repeat(100_000);
    const texts = await Promise.all(
      Array.from({ length: 40 }, () => textOf(session, 'echo', { message })),
    );
    expect(texts.every((text) => text === message)).toBe(true);
    // Warnings are emitted a tick later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('ends with all its descendants', async () => {
    verifies('CON-10');
    await using scope = new Scope();
    const stubborn = {
      grandchildren: 2,
      grandchildrenStdio: 'inherit',
      ignoreSignals: ['SIGINT', 'SIGTERM'],
      ignoreStdinEnd: true,
    } as const;
    const session = await openOrThrow(stdioLaunch(scriptedServer(stubborn)), scope);
    const { pid, grandchildren } = JSON.parse(await textOf(session, 'pids')) as {
      pid: number;
      grandchildren: number[];
    };
    const pids = [pid, ...grandchildren];
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    await session.close();
    await waitUntil(() => !pids.some(isAlive), { describe: () => 'all of them gone' });
  });

  it('is reported as gone before its descendants have been stopped', async () => {
    verifies('CON-06');
    await using scope = new Scope();
    // Leftover processes get time to exit, which never passes on this clock.
    const clock = new ManualClock();
    const launch = stdioLaunch(scriptedServer({ grandchildren: 1 }));
    const opened = await open(launch, listing, { ...ports, clock });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const session = opened.value;
    const { pid, grandchildren } = JSON.parse(await textOf(session, 'pids')) as {
      pid: number;
      grandchildren: number[];
    };
    scope.defer(() => {
      for (const each of grandchildren.filter(isAlive)) process.kill(each);
    });
    process.kill(pid, 'SIGKILL');
    expect(await session.closed).toMatchObject({ kind: 'exited', exit: { signal: 'SIGKILL' } });
    expect(grandchildren.map(isAlive)).toEqual([true]);
    let isOver = false;
    const closing = session.close().then(() => {
      isOver = true;
    });
    await waitUntil(async () => isOver || (await clock.advance(10), false), {
      describe: 'its end',
    });
    await closing;
    expect(grandchildren.map(isAlive)).toEqual([false]);
  });

  it('receives a progress token on every call', async () => {
    await using folder = await tempFolder();
    await using scope = new Scope();
    const log = `${folder.path}/tap.ndjson`;
    const session = await openOrThrow(stdioLaunch(tapped(log, scriptedServer())), scope);
    await textOf(session, 'echo', { message: 'x' });
    const sent = await waitUntil(
      async () => (await readTap(log)).find(({ text }) => text.includes('tools/call')),
      { describe: () => 'the call in the tap' },
    );
    expect(JSON.parse(sent.text)).toMatchObject({
      method: 'tools/call',
      params: {
        name: 'echo',
        arguments: { message: 'x' },
        _meta: { progressToken: expect.any(Number) },
      },
    });
  });
});

describe('a process that has exited, with its output still open', () => {
  // A child process keeps its output open, so the end is not reported yet.
  const program = `require('node:child_process')
    .spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    .on('spawn', () => process.exit(0))`;

  it('receives no message, and the sender does not wait for it', async () => {
    verifies('TRN-01');
    const clock = new ManualClock();
    const launch = stdioLaunch({ command: process.execPath, args: ['-e', program] });
    const transport = new StdioTransport(launch, { clock, ledger: undefined });
    await transport.start();
    const { pid } = transport;
    await waitUntil(() => pid !== undefined && !isAlive(pid), { describe: 'the process to exit' });
    expect(transport.end).toBeUndefined();
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    let isClosed = false;
    const closing = transport.close().then(() => {
      isClosed = true;
    });
    await waitUntil(() => clock.advance(50).then(() => isClosed), { describe: 'the end' });
    await closing;
  });
});

describe('a published server over stdio', () => {
  it('works: server-everything', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(everything('stdio')), scope);
    expect(await textOf(session, 'echo', { message: 'hi' })).toBe('Echo: hi');
  });

  it('works: server-filesystem', async () => {
    await using folder = await tempFolder();
    await folder.write('note.txt', 'a note');
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(filesystem(folder.path)), scope);
    const text = await textOf(session, 'read_text_file', { path: `${folder.path}/note.txt` });
    expect(text).toBe('a note');
  });

  it('works: server-memory', async () => {
    await using folder = await tempFolder();
    await using scope = new Scope();
    const entry = memory(`${folder.path}/memory.json`);
    const launch = stdioLaunch(entry);
    const session = await openOrThrow({ ...launch, env: { ...launch.env, ...entry.env } }, scope);
    expect(JSON.parse(await textOf(session, 'read_graph'))).toEqual({
      entities: [],
      relations: [],
    });
  });

  it.each(['legacy', 'modern'] as const)('works in the %s era: dbhub', async (era) => {
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(dbhub(), era), scope);
    expect(session.era).toBe(era);
    const page = await session.listTools(undefined, listing);
    expect(page.ok && page.value.items.map(({ name }) => name)).toContain('execute_sql');
    const rows = await textOf(session, 'execute_sql', { sql: 'select 1 + 1 as two' });
    expect(rows).toContain('"two": 2');
  });
});
