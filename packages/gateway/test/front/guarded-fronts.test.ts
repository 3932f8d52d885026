// Access over WebSocket and HTTP+SSE, and the end of connections.

import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { Scope } from '@plugboard/base';
import { allowAll } from '@plugboard/host';
import { ManualClock, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/index.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const TOKENS = new Map([
  ['token-of-ada-lovelace', 'ada'],
  ['token-of-bob-kahn', 'bob'],
]);
const ADA = { Authorization: 'Bearer token-of-ada-lovelace' };
const BOB = { Authorization: 'Bearer token-of-bob-kahn' };

async function guarded(clock?: ManualClock): Promise<URL> {
  const servers = { one: scriptedServer() };
  const host = { files: 'none', approve: allowAll, servers } as const;
  const gateway = scope.use(
    await createGateway({ host, ...(clock === undefined ? {} : { clock }) }),
  );
  const { url } = await gateway.listen({ tokens: TOKENS });
  return new URL(url);
}

/** The status of a refused upgrade, or 101. */
async function statusOf(
  url: URL,
  path: string,
  headers: Record<string, string>,
  protocols: readonly string[] = ['mcp'],
): Promise<number> {
  const socket = new WebSocket(`ws://${url.host}${path}`, [...protocols], { headers });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.close();
      resolve(101);
    });
    socket.once('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}

describe('a WebSocket', () => {
  verifies('GWY-01');

  it('is opened only with a token, a host name of this machine, and no foreign origin', async () => {
    const url = await guarded();
    expect({
      token: await statusOf(url, '/mcp', ADA),
      none: await statusOf(url, '/mcp', {}),
      wrong: await statusOf(url, '/mcp', { Authorization: 'Bearer token-of-nobody' }),
      page: await statusOf(url, '/mcp', { ...ADA, Origin: 'https://evil.example' }),
      own: await statusOf(url, '/mcp', { ...ADA, Origin: `http://${url.host}` }),
      rebound: await statusOf(url, '/mcp', { ...ADA, Host: 'evil.example' }),
      elsewhere: await statusOf(url, '/mcp/none', ADA),
      unnamed: await statusOf(url, '/mcp', ADA, []),
      other: await statusOf(url, '/mcp', ADA, ['graphql']),
    }).toEqual({
      token: 101,
      none: 401,
      wrong: 401,
      page: 403,
      own: 101,
      rebound: 403,
      elsewhere: 404,
      unnamed: 400,
      other: 400,
    });
  });

  it('is closed when it sends bytes or a message that is too large', async () => {
    const url = await guarded();
    for (const [data, code] of [
      [Buffer.from('{}'), 1003],
      ['x'.repeat(17 * 1024 * 1024), 1009],
    ] as const) {
      const socket = new WebSocket(`ws://${url.host}/mcp`, 'mcp', { headers: ADA });
      await once(socket, 'open');
      socket.send(data);
      expect((await once(socket, 'close'))[0]).toBe(code);
    }
  });

  it('is closed when its peer has fallen silent', async () => {
    const clock = new ManualClock();
    const url = await guarded(clock);
    const socket = await upgraded(url);
    const closed = closeOf(socket);
    await clock.advance(30_000);
    await clock.advance(30_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  it('is closed when it sends pings and does not read the pongs', async () => {
    const url = await guarded();
    const socket = await upgraded(url);
    scope.defer(() => void socket.destroy());
    socket.pause();
    const failures: unknown[] = [];
    socket.on('error', (error) => failures.push(error));
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 2000 }, () => ping));
    // The buffers of both sockets add to the limit of 16 MiB.
    for (let sent = 0; failures.length === 0 && sent < 128 * 1024 * 1024; sent += pings.length) {
      await new Promise<void>((resolve) => void socket.write(pings, () => resolve()));
    }
    expect(failures).toHaveLength(1);
  });
});

/** A raw socket after the upgrade, without a client library that replies by itself. */
async function upgraded(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.write(
    [
      'GET /mcp HTTP/1.1',
      `Host: ${url.host}`,
      `Authorization: ${ADA.Authorization}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: mcp',
      '\r\n',
    ].join('\r\n'),
  );
  const first = (await once(socket, 'data')) as [Buffer];
  expect(first[0].toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

async function closeOf(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.resume().once('close', () => resolve());
  });
}

describe('a stream of HTTP+SSE', () => {
  verifies('GWY-01');

  async function opened(url: URL, headers: Record<string, string>): Promise<string> {
    const controller = new AbortController();
    scope.defer(() => controller.abort());
    const response = await fetch(new URL('/sse', url), { headers, signal: controller.signal });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [, endpoint = ''] = /data: (\S+)/.exec(Buffer.from(value ?? []).toString('utf8')) ?? [];
    return endpoint;
  }

  const post = async (url: URL, path: string, headers: Record<string, string>): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const type = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers: { ...type, ...headers }, body };
    return (await fetch(new URL(path, url), init)).status;
  };

  it('belongs to the token that opened it, and cannot be guessed', async () => {
    const url = await guarded();
    const endpoint = await opened(url, ADA);
    expect(endpoint).toMatch(/^\/messages\?sessionId=[\w-]{32}$/);
    expect({
      own: await post(url, endpoint, ADA),
      stolen: await post(url, endpoint, BOB),
      withoutToken: await post(url, endpoint, {}),
      guessed: await post(url, '/messages?sessionId=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', ADA),
      none: await post(url, '/messages', ADA),
      page: await post(url, endpoint, { ...ADA, Origin: 'https://evil.example' }),
      text: await post(url, endpoint, { ...ADA, 'Content-Type': 'text/plain' }),
    }).toEqual({
      own: 202,
      stolen: 404,
      withoutToken: 401,
      guessed: 404,
      none: 404,
      page: 403,
      text: 415,
    });
  });

  it('is opened only with a token, an admitted host name, GET, and an existing endpoint', async () => {
    const url = await guarded();
    const statusAt = async (path: string, init: RequestInit): Promise<number> => {
      const response = await fetch(new URL(path, url), init);
      await response.body?.cancel();
      return response.status;
    };
    expect({
      none: await statusAt('/sse', {}),
      page: await statusAt('/sse', { headers: { ...ADA, Origin: 'https://evil.example' } }),
      posted: await statusAt('/sse', { method: 'POST', headers: ADA }),
      got: await statusAt('/messages', { headers: ADA }),
      elsewhere: await statusAt('/sse/none', { headers: ADA }),
      near: await statusAt('/sses', { headers: ADA }),
      rebound: await reboundStatus(url),
    }).toEqual({
      none: 401,
      page: 403,
      posted: 405,
      got: 405,
      elsewhere: 404,
      near: 404,
      rebound: 403,
    });
  });

  it('ends the session when it closes', async () => {
    const url = await guarded();
    const controller = new AbortController();
    const response = await fetch(new URL('/sse/one', url), {
      headers: ADA,
      signal: controller.signal,
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    const [, endpoint = ''] = /data: (\S+)/.exec(Buffer.from(value ?? []).toString('utf8')) ?? [];
    expect(await post(url, endpoint, ADA)).toBe(202);
    controller.abort();
    await waitUntil(async () => (await post(url, endpoint, ADA)) === 404, {
      describe: 'the session to be gone',
    });
  });

  it('serves the official client of the first SDK', async () => {
    const url = await guarded();
    const transport = new SSEClientTransport(new URL('/sse/one', url), {
      requestInit: { headers: ADA },
    });
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    const result = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    expect(JSON.stringify(result)).toContain('hi');
    await client.close();
  });
});

/** `fetch` sets the header itself. */
function reboundStatus(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = url;
    const headers = { ...ADA, Host: 'evil.example' };
    request({ hostname, port, path: '/sse', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
