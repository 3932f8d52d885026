import { never, Scope } from '@plugboard/base';
import { ManualClock, scriptedServer, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { type CallOptions, type Launch, open, type Session } from '../../src/protocol/index.ts';
import { readFrame } from '../../src/protocol/frame/read-frame.ts';
import { openOrThrow, ports, stdioLaunch } from './cells.ts';
import { eventOf, startBareHttp } from './bare-http-server.ts';

const SERVER = fileURLToPath(new URL('fixtures/asking-server.mjs', import.meta.url));
const MIB = 1024 * 1024;
const LIMIT = { answers: 10_000, bytes: 16 * MIB };
const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };
/** The maximum that a flooding server writes, so that without a limit only the test fails. */
const MOST_PINGS = 60_000;
const PING = Buffer.alloc(125);
/** More than the system buffers for a socket that is not read. */
const MOST_PONGS = 400_000;

async function openAt(clock: ManualClock, launch: Launch, scope: Scope): Promise<Session> {
  const limits = { signal: scope.signal, timeoutMs: 60_000 };
  const opened = await open(launch, limits, { ...ports, clock });
  if (!opened.ok) throw new Error(`could not open: ${JSON.stringify(opened.error)}`);
  scope.defer(() => passing(clock, opened.value.close()));
  return opened.value;
}

/** Awaits the promise while the clock advances. */
async function passing<T>(clock: ManualClock, awaited: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  awaited.then(over, over);
  const options = { describe: 'the session to end' };
  await waitUntil(() => clock.advance(1000).then(() => isOver), options);
  return awaited;
}

async function untaken(session: Session): Promise<number> {
  const end = await session.closed;
  return end.kind === 'answers-untaken' ? end.answers : Number.NaN;
}

function asking(file: string): Launch {
  return stdioLaunch({ command: process.execPath, args: [SERVER, file] });
}

describe('a server that sends requests and does not read the answers', () => {
  it('is not read beyond a limit, then given up with the reason, and others continue (stdio)', async () => {
    verifies('POL-15');
    await using folder = await tempFolder();
    await using scope = new Scope();
    const file = await folder.write('taken', '0');
    const clock = new ManualClock();
    const session = await openAt(clock, asking(file), scope);
    const other = await openOrThrow(stdioLaunch(scriptedServer()), scope);
    const flood = { name: 'flood', arguments: { count: MOST_PINGS } };
    const call = session.callTool(flood, { ...patient, hardMs: 1e9, idleMs: 1e9 });
    const end = {
      kind: 'answers-untaken',
      answers: expect.any(Number),
      bytes: expect.any(Number),
      limit: LIMIT,
      ms: 10_000,
    };
    expect(await passing(clock, session.closed)).toEqual(end);
    expect(await call).toEqual({ ok: false, error: end });
    expect(await untaken(session)).toBeLessThan(2 * LIMIT.answers);
    expect(Number(await readFile(file, 'utf8'))).toBeLessThan(MOST_PINGS / 2);
    const echo = { name: 'echo', arguments: { message: 'on' } };
    expect((await other.callTool(echo, patient)).ok).toBe(true);
  });

  it('may send eight thousand requests at once before it reads the first answer', async () => {
    verifies('POL-15');
    await using folder = await tempFolder();
    await using scope = new Scope();
    const session = await openOrThrow(asking(await folder.write('taken', '0')), scope);
    const burst = { name: 'burst', arguments: { count: 8000 } };
    expect((await session.callTool(burst, patient)).ok).toBe(true);
    expect((await session.callTool({ name: 'echo', arguments: {} }, patient)).ok).toBe(true);
  });

  it('occupies few connections with unacknowledged answers, and is given up (HTTP)', async () => {
    verifies('POL-15');
    await using scope = new Scope();
    const clock = new ManualClock();
    const flood = new Flood();
    const server = await startBareHttp(
      'legacy',
      ({ httpMethod, message }) => {
        if (httpMethod === 'GET') return { kind: 'events', write: (to) => flood.into(to) };
        // The server does not even send the head of an answer.
        return 'result' in message ? { kind: 'events', write: () => {} } : undefined;
      },
      scope,
    );
    const session = await openAt(clock, { ...server.launch, era: 'legacy' }, scope);
    const end = await passing(clock, session.closed);
    expect(end).toMatchObject({ kind: 'answers-untaken', limit: LIMIT });
    const answered = server.requests.filter(({ message }) => 'result' in message);
    expect(answered).toHaveLength(32);
    expect(await untaken(session)).toBeLessThan(2 * LIMIT.answers);
  });

  it('occupies few connections with unacknowledged answers, and is given up (HTTP+SSE)', async () => {
    verifies('POL-15');
    await using scope = new Scope();
    const clock = new ManualClock();
    const flood = new Flood();
    const server = await startHangingSse(flood, scope);
    const session = await openAt(clock, server.launch, scope);
    const end = await passing(clock, session.closed);
    expect(end).toMatchObject({ kind: 'answers-untaken', limit: LIMIT });
    expect(server.answers()).toBe(32);
    expect(await untaken(session)).toBeLessThan(2 * LIMIT.answers);
  });

  it('is given up when the answers take too many bytes, however few they are (WebSocket)', async () => {
    verifies('POL-15');
    await using scope = new Scope();
    const clock = new ManualClock();
    const server = await startFloodingWs(scope);
    const session = await openAt(clock, server.launch, scope);
    const end = await passing(clock, session.closed);
    expect(end).toMatchObject({ kind: 'answers-untaken', limit: LIMIT });
    const { answers, bytes } = end as { readonly answers: number; readonly bytes: number };
    expect(answers).toBeLessThan(LIMIT.answers);
    expect(bytes).toBeGreaterThanOrEqual(LIMIT.bytes);
    expect(bytes).toBeLessThan(2 * LIMIT.bytes);
  });

  it('is given up when it does not read the pongs to its pings, and is answered when it does (WebSocket)', async () => {
    verifies('POL-15');
    await using scope = new Scope();
    const clock = new ManualClock();
    const server = await startPingingWs(scope);
    const session = await openAt(clock, server.launch, scope);
    await waitUntil(() => server.pongs() === 1, { describe: 'the pong' });
    server.flood();
    const end = await passing(clock, session.closed);
    expect(end).toMatchObject({ kind: 'answers-untaken', limit: LIMIT });
    expect(await untaken(session)).toBeLessThan(2 * LIMIT.answers);
  });

  it('cannot send more than a thousand requests in one line', () => {
    verifies('POL-15');
    const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    const pings = (count: number): string =>
      `[${Array.from({ length: count }, () => ping).join()}]`;
    expect(readFrame(pings(1000)).kind).toBe('batch');
    expect(readFrame(pings(1001)).kind).toBe('broken');
  });
});

/** Sends pings as events, until there are enough or they are no longer read. */
class Flood {
  taken = 0;

  into(response: ServerResponse): void {
    if (this.taken >= MOST_PINGS || response.destroyed) return;
    const portion = Array.from({ length: 500 }, (_, index) =>
      eventOf({ jsonrpc: '2.0', id: this.taken + index, method: 'ping' }),
    );
    response.write(portion.join(''), () => {
      this.taken += 500;
      setImmediate(() => this.into(response));
    });
  }
}

async function listening(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  scope: Scope,
): Promise<{ readonly port: number; readonly server: ReturnType<typeof createServer> }> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, server };
}

const HANDSHAKE = {
  protocolVersion: '2024-11-05',
  capabilities: {},
  serverInfo: { name: 'hanging', version: '1.0.0' },
};

/** An HTTP+SSE server that starts to flood after the handshake. */
async function startHangingSse(
  flood: Flood,
  scope: Scope,
): Promise<{ readonly launch: Launch; answers(): number }> {
  let stream: ServerResponse | undefined;
  let answers = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly id?: number;
      readonly method?: string;
    };
    if (method === undefined) {
      answers += 1;
      return;
    }
    response.writeHead(202).end();
    if (method === 'initialize')
      stream?.write(eventOf({ jsonrpc: '2.0', id: id ?? 0, result: HANDSHAKE }));
    else if (stream !== undefined) flood.into(stream);
  };
  const { port } = await listening((request, response) => void serve(request, response), scope);
  const url = `http://127.0.0.1:${port}/sse`;
  return { launch: { kind: 'sse', url, headers: {}, era: 'legacy' }, answers: () => answers };
}

/** Pings once after the handshake; to flood, it then pings without end, and stops reading. */
async function startPingingWs(
  scope: Scope,
): Promise<{ readonly launch: Launch; pongs(): number; flood(): void }> {
  const { port, server } = await listening((_request, response) => void response.end(), scope);
  const sockets = new WebSocketServer({ server });
  let pongs = 0;
  let flood = (): void => {};
  sockets.on('connection', (socket) => {
    scope.defer(() => socket.terminate());
    const pings = (most: number): void => {
      if (most <= 0 || socket.readyState !== socket.OPEN) return;
      for (let asked = 1; asked < 500; asked += 1) socket.ping(PING);
      socket.ping(PING, undefined, () => setImmediate(() => pings(most - 500)));
    };
    flood = () => {
      socket.pause();
      pings(MOST_PONGS);
    };
    socket.on('pong', () => (pongs += 1));
    socket.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id?: number; method?: string };
      if (method === 'initialize')
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: HANDSHAKE }));
      if (method === 'notifications/initialized') socket.ping(PING);
    });
  });
  const url = `ws://127.0.0.1:${port}`;
  const launch: Launch = { kind: 'ws', url, headers: {}, era: 'legacy' };
  return { launch, pongs: () => pongs, flood: () => flood() };
}

/** Sends requests with ids of ten thousand characters, which the answers repeat, and stops reading. */
async function startFloodingWs(scope: Scope): Promise<{ readonly launch: Launch }> {
  const { port, server } = await listening((_request, response) => void response.end(), scope);
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    scope.defer(() => socket.terminate());
    socket.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id?: number; method?: string };
      if (method === 'initialize')
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: HANDSHAKE }));
      if (method !== 'notifications/initialized') return;
      socket.pause();
      for (let asked = 0; asked < 4000; asked += 1) {
        const long = `${asked}-${'x'.repeat(10_000)}`;
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: long, method: 'ping' }));
      }
    });
  });
  return { launch: { kind: 'ws', url: `ws://127.0.0.1:${port}`, headers: {}, era: 'legacy' } };
}
