import { never, Scope } from '@plugboard/base';
import {
  startEverythingSse,
  startScriptedHttp,
  startScriptedSse,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOptions, Launch } from '../../src/protocol/index.ts';
import { failureOf, openOrThrow } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };

function sse(url: string, kind: 'sse' | 'http-or-sse' = 'sse'): Launch {
  return { kind, url, headers: { 'x-key': 'secret' }, era: 'auto' };
}

describe('a server over HTTP+SSE', () => {
  it.each(['sse', 'http-or-sse'] as const)('works with server-everything: %s', async (kind) => {
    verifies('TRN-03');
    await using peer = await startEverythingSse();
    await using scope = new Scope();
    const session = await openOrThrow(sse(peer.url, kind), scope);
    const echoed = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    expect(echoed).toMatchObject({ ok: true, value: { content: [{ text: 'Echo: hi' }] } });
  });

  it.each([
    ['end', { kind: 'closed' }],
    ['cut', { kind: 'unreachable', code: 'UND_ERR_SOCKET' }],
  ] as const)('has ended when its stream ends: %s', async (how, end) => {
    await using server = await startScriptedSse();
    await using scope = new Scope();
    const session = await openOrThrow(sse(server.url), scope);
    const call = session.callTool({ name: 'never', arguments: {} }, patient);
    server.endStreams(how);
    expect(await session.closed).toMatchObject(end);
    expect(await call).toMatchObject({ ok: false, error: end });
    expect(server.requests.filter((request) => request === 'GET /sse')).toHaveLength(1);
  });

  it('fails the call whose answer is too long, and nothing else', async () => {
    const bytes = 16 * 1024 * 1024 + 1;
    await using server = await startScriptedSse({ hugeLineBytes: bytes });
    await using scope = new Scope();
    const session = await openOrThrow(sse(server.url), scope);
    const huge = await session.callTool({ name: 'huge', arguments: {} }, patient);
    const line = bytes + 'data: '.length;
    expect(huge).toEqual({
      ok: false,
      error: { kind: 'too-large', bytes: line, limit: 16 * 1024 * 1024 },
    });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it('reports the status with which a message was refused', async () => {
    const refuseMessages = { status: 500, method: 'tools/call' };
    await using server = await startScriptedSse({ sse: { refuseMessages } });
    await using scope = new Scope();
    const session = await openOrThrow(sse(server.url), scope);
    const refused = await session.callTool({ name: 'echo', arguments: {} }, patient);
    expect(refused).toEqual({ ok: false, error: { kind: 'http', url: server.url, status: 500 } });
  });
});

describe('opening a failing server over HTTP+SSE', () => {
  it.each([
    [{ status: 401 }, { kind: 'unauthorized', status: 401 }],
    [{ status: 404 }, { kind: 'http', status: 404 }],
    [{ status: 503 }, { kind: 'http', status: 503 }],
    [
      { status: 200, contentType: 'text/html' },
      { kind: 'not-mcp', contentType: 'text/html' },
    ],
  ])('reports the answer to the stream: %o', async (refuseStream, failure) => {
    await using server = await startScriptedSse({ sse: { refuseStream } });
    expect(await failureOf(sse(server.url))).toEqual({ ...failure, url: server.url });
  });

  it('reports that nothing listens there', async () => {
    const server = await startScriptedSse();
    await server.close();
    const unreachable = { kind: 'unreachable', url: server.url, code: 'ECONNREFUSED' };
    expect(await failureOf(sse(`${server.url}?token=secret`))).toEqual(unreachable);
  });

  it('gives up when the endpoint event never arrives', async () => {
    await using server = await startScriptedSse({ sse: { endpoint: 'none' } });
    expect(await failureOf(sse(server.url), 300)).toEqual({ kind: 'timeout', ms: 300 });
  });

  it('does not post to another origin', async () => {
    await using elsewhere = await startScriptedHttp();
    await using server = await startScriptedSse({ sse: { endpoint: elsewhere.url } });
    expect((await failureOf(sse(server.url))).kind).toBe('closed');
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('a server whose transport is unknown', () => {
  const unsupported = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    error: { code: -32_022, message: 'Unsupported', data: { supported: ['2099-01-01'] } },
  });

  it.each([
    [400, 'Missing sessionId'],
    [404, 'Cannot POST /sse'],
    [405, ''],
  ])('is tried over HTTP+SSE after a %i', async (status, body) => {
    verifies('TRN-03', 'CFG-04');
    await using server = await startScriptedSse({ sse: { refusePost: { status, body } } });
    await using scope = new Scope();
    const session = await openOrThrow(sse(server.url, 'http-or-sse'), scope);
    expect(session.era).toBe('legacy');
  });

  it.each([
    [{ status: 400, body: unsupported }, { kind: 'wrong-era' }],
    [{ status: 401 }, { kind: 'unauthorized', status: 401 }],
    [{ status: 500 }, { kind: 'http', status: 500 }],
  ])('is not tried over HTTP+SSE after %o', async (refusePost, failure) => {
    await using server = await startScriptedSse({ sse: { refusePost } });
    expect(await failureOf(sse(server.url, 'http-or-sse'))).toMatchObject(failure);
    expect(server.requests).not.toContain('GET /sse');
  });

  it('fails as over Streamable HTTP if HTTP+SSE is not supported either', async () => {
    const script = { refusePost: { status: 404 }, refuseStream: { status: 405 } };
    await using server = await startScriptedSse({ sse: script });
    const failure = { kind: 'http', url: server.url, status: 404 };
    expect(await failureOf(sse(server.url, 'http-or-sse'))).toEqual(failure);
  });

  it('fails as over HTTP+SSE if that error is more specific', async () => {
    const script = { refusePost: { status: 404 }, refuseStream: { status: 401 } };
    await using server = await startScriptedSse({ sse: script });
    const failure = { kind: 'unauthorized', url: server.url, status: 401 };
    expect(await failureOf(sse(server.url, 'http-or-sse'))).toEqual(failure);
  });
});
