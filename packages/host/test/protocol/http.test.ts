import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, never, Scope } from '@plugboard/base';
import {
  startEverythingHttp,
  startScriptedHttp,
  startTcpProxy,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOptions, Launch } from '../../src/protocol/index.ts';
import { failureOf, openOrThrow } from './cells.ts';

const MIB = 1024 * 1024;
const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };
const ERAS = ['legacy', 'modern'] as const;

function http(url: string, headers: Record<string, string> = {}): Launch & { kind: 'http' } {
  return { kind: 'http', url, headers, era: 'auto' };
}

/** A server that sends exactly what a test states, including what no library would send. */
async function startRaw(
  scope: Scope,
  answer: (response: ServerResponse, method: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    void request
      .setEncoding('utf8')
      .toArray()
      .then((chunks) => {
        const { id, method } = JSON.parse(chunks.join('') || '{}') as {
          id?: number;
          method: string;
        };
        if (method === 'initialize') {
          const info = { name: 'raw', version: '1' };
          const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        } else if (id === undefined) response.writeHead(method === undefined ? 405 : 202).end();
        else answer(response, method);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('a server over Streamable HTTP', () => {
  it.each(['json', 'sse'] as const)('may answer with %s, in both eras', async (answerWith) => {
    verifies('TRN-02');
    for (const era of ERAS) {
      await using server = await startScriptedHttp({ eras: [era], http: { answerWith } });
      await using scope = new Scope();
      const session = await openOrThrow(http(server.url), scope);
      const hi = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
      expect(hi).toMatchObject({ ok: true, value: { content: [{ text: 'hi' }] } });
    }
  });

  it('receives headers that match the body in the modern era', async () => {
    verifies('TRN-02');
    await using server = await startScriptedHttp({ eras: ['modern'] });
    await using scope = new Scope();
    const session = await openOrThrow(http(server.url, { 'X-Key': 'k' }), scope);
    await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      accept: expect.stringContaining('text/event-stream') as string,
      'x-key': 'k',
    });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('receives the session id and its end in the legacy era', async () => {
    verifies('TRN-02');
    await using server = await startScriptedHttp({ eras: ['legacy'] });
    await using scope = new Scope();
    const session = await openOrThrow(http(server.url), scope);
    await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    await session.close();
    const [call, farewell] = server.requests.slice(-2);
    expect(call?.headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25' });
    expect(farewell?.httpMethod).toBe('DELETE');
    expect(farewell?.headers['mcp-session-id']).toBe(call?.headers['mcp-session-id']);
  });

  it('can resume the answer of a call whose stream was cut, if it keeps events', async () => {
    verifies('TRN-02');
    await using peer = await startEverythingHttp();
    await using proxy = await startTcpProxy({ target: peer.url });
    await using scope = new Scope();
    const session = await openOrThrow(http(proxy.url()), scope);
    let cuts = 0;
    const onProgress = (): void => {
      cuts += 1;
      if (cuts === 1) proxy.reset();
    };
    const done = await session.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
      { ...patient, onProgress },
    );
    expect(cuts).toBeGreaterThan(0);
    expect(done).toMatchObject({ ok: true, value: { isError: false } });
  });
});

describe('the bounds on messages over HTTP', () => {
  const nested = (levels: number): JsonObject => ({
    content: [],
    structuredContent: JSON.parse(
      `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`,
    ) as JsonObject,
  });

  it.each(ERAS)('apply to an event, which fails its call alone: %s', async (era) => {
    verifies('TRN-02');
    const hugeLineBytes = 16 * MIB + 1;
    const script = { eras: [era], hugeLineBytes, http: { answerWith: 'sse' } } as const;
    await using server = await startScriptedHttp(script);
    await using scope = new Scope();
    const session = await openOrThrow(http(server.url), scope);
    const huge = await session.callTool({ name: 'huge', arguments: {} }, patient);
    const bytes = hugeLineBytes + 'data: '.length;
    expect(huge).toEqual({ ok: false, error: { kind: 'too-large', bytes, limit: 16 * MIB } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it.each(['json', 'sse'] as const)('apply to the depth of an answer as %s', async (answerWith) => {
    const tools = [
      { name: 'deep', result: nested(512) },
      { name: 'sound', result: nested(500) },
    ];
    await using server = await startScriptedHttp({ tools, http: { answerWith } });
    await using scope = new Scope();
    const session = await openOrThrow(http(server.url), scope);
    const deep = await session.callTool({ name: 'deep', arguments: {} }, patient);
    expect(deep).toMatchObject({ ok: false, error: { kind: 'invalid-result' } });
    const sound = await session.callTool({ name: 'sound', arguments: {} }, patient);
    expect(sound.ok).toBe(true);
  });

  it('apply to the body of an error', async () => {
    await using scope = new Scope();
    const url = await startRaw(scope, (response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const pour = (): void => {
        while (response.write('x'.repeat(64 * 1024)));
        response.once('drain', pour);
      };
      pour();
    });
    const session = await openOrThrow({ ...http(url), era: 'legacy' }, scope);
    const refused = await session.ping({ signal: never, timeoutMs: 60_000 });
    expect(refused).toEqual({ ok: false, error: { kind: 'http', url, status: 500 } });
  });
});

describe('an interrupted answer over HTTP', () => {
  const begin = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      ': hello\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n',
    );
  };

  it.each([
    ['ends', { kind: 'invalid-result', detail: 'the stream ended before the answer' }],
    ['is cut', { kind: 'unreachable', code: 'UND_ERR_SOCKET' }],
  ])('fails its request at once when the stream %s', async (how, failure) => {
    await using scope = new Scope();
    const url = await startRaw(scope, (response) => {
      begin(response);
      if (how === 'ends') response.end();
      else setImmediate(() => response.destroy());
    });
    const session = await openOrThrow({ ...http(url), era: 'legacy' }, scope);
    const lost = await session.ping({ signal: never, timeoutMs: 60_000 });
    expect(lost).toMatchObject({ ok: false, error: failure });
  });

  it('fails its request when a JSON body is cut', async () => {
    const fault = { methods: ['tools/call'], resetAfterBytes: 10 };
    await using server = await startScriptedHttp({ http: fault });
    await using scope = new Scope();
    const session = await openOrThrow(http(server.url), scope);
    const lost = await session.callTool({ name: 'echo', arguments: { message: 'x' } }, patient);
    expect(lost).toMatchObject({ ok: false, error: { kind: 'unreachable', url: server.url } });
  });

  it('fails the opening of a session, too', async () => {
    await using server = await startScriptedHttp({ http: { resetAfterBytes: 0 } });
    expect(await failureOf(http(server.url))).toMatchObject({ kind: 'unreachable' });
  });
});
