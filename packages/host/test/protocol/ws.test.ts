import { never, Scope } from '@plugboard/base';
import { startScriptedWs, verifies, waitUntil, type WsScript } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { failureOfClose } from '../../src/protocol/transport/socket-end.ts';
import type { CallOptions, Launch } from '../../src/protocol/index.ts';
import { failureOf, openOrThrow } from './cells.ts';

const MIB = 1024 * 1024;
const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };

function ws(url: string, headers: Record<string, string> = {}): Launch {
  return { kind: 'ws', url, headers, era: 'auto' };
}

describe('a server over WebSocket', () => {
  it('receives the subprotocol, and the headers of its entry', async () => {
    verifies('TRN-04');
    await using server = await startScriptedWs();
    await using scope = new Scope();
    await openOrThrow(ws(server.url, { Authorization: 'Bearer t', 'X-Key': 'k' }), scope);
    expect(server.handshakes).toHaveLength(1);
    expect(server.handshakes[0]).toMatchObject({
      'sec-websocket-protocol': 'mcp',
      authorization: 'Bearer t',
      'x-key': 'k',
    });
    expect(server.handshakes[0]).not.toHaveProperty('sec-websocket-extensions');
  });

  it('receives a closing handshake', async () => {
    verifies('TRN-04');
    await using server = await startScriptedWs();
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    await session.close();
    expect(server.closedWith).toEqual([1000]);
    expect(await session.closed).toEqual({ kind: 'closed' });
  });

  it('fails the call whose answer is too long, and nothing else', async () => {
    const bytes = 16 * MIB + 1;
    await using server = await startScriptedWs({ hugeLineBytes: bytes });
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    const huge = await session.callTool({ name: 'huge', arguments: {} }, patient);
    expect(huge).toEqual({ ok: false, error: { kind: 'too-large', bytes, limit: 16 * MIB } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it.each([
    [
      'does not tell which request it answers',
      (): string => 'x'.repeat(16 * MIB + 1),
      16 * MIB + 1,
    ],
    ['is beyond all measure', undefined, 64 * MIB + 1],
  ])('ends when a message %s', async (_, text, bytes) => {
    await using server = await startScriptedWs();
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    if (text === undefined) server.startMessage(1024 * MIB);
    else server.say(text());
    expect(await session.closed).toEqual({ kind: 'too-large', bytes, limit: 16 * MIB });
  });

  it('fails the call whose answer nests too deep, and continues', async () => {
    const deep = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as [];
    const tools = [{ name: 'deep', result: { content: [], structuredContent: { deep } } }];
    await using server = await startScriptedWs({ tools });
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    const failed = await session.callTool({ name: 'deep', arguments: {} }, patient);
    expect(failed).toMatchObject({ ok: false, error: { kind: 'invalid-result' } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it('may send invalid messages without ending the session', async () => {
    await using server = await startScriptedWs();
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    ['hello', '', '{"jsonrpc":"2.0"', '[]'].forEach((text) => server.say(text));
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it.each([
    [1000, { kind: 'closed' }],
    [1008, { kind: 'unauthorized', status: 403 }],
    [1011, { kind: 'unreachable', code: 'WS_1011' }],
    [undefined, { kind: 'unreachable', code: 'WS_1006' }],
  ])('fails running calls when it closes with %s', async (code, failure) => {
    await using server = await startScriptedWs();
    await using scope = new Scope();
    const session = await openOrThrow(ws(server.url), scope);
    const call = session.callTool({ name: 'never', arguments: {} }, patient);
    server.hangUp(code);
    expect(await call).toMatchObject({ ok: false, error: failure });
    expect(await session.closed).toMatchObject(failure);
    await waitUntil(() => server.handshakes.length === 1, { describe: () => 'no second socket' });
  });
});

describe('opening a failing server over WebSocket', () => {
  it.each<[WsScript['ws'], object]>([
    [{ refuse: 401 }, { kind: 'unauthorized', status: 401 }],
    [{ refuse: 403 }, { kind: 'unauthorized', status: 403 }],
    [{ refuse: 404 }, { kind: 'http', status: 404 }],
    [{ refuse: 302 }, { kind: 'http', status: 302 }],
    [{ refuse: 200 }, { kind: 'not-mcp', contentType: 'text/html' }],
    [{ noSubprotocol: true }, { kind: 'not-mcp', contentType: '' }],
    [{ closeAtOnce: 1008 }, { kind: 'unauthorized', status: 403 }],
    [{ closeAtOnce: 1013 }, { kind: 'unreachable', code: 'WS_1013' }],
  ])('reports the answer: %o', async (script, failure) => {
    await using server = await startScriptedWs(script === undefined ? {} : { ws: script });
    expect(await failureOf(ws(server.url))).toEqual({ ...failure, url: server.url });
  });

  it('reports that nothing listens there', async () => {
    const server = await startScriptedWs();
    await server.close();
    const unreachable = { kind: 'unreachable', url: server.url, code: 'ECONNREFUSED' };
    expect(await failureOf(ws(`${server.url}?token=secret`))).toEqual(unreachable);
  });

  it('gives up on a silent server', async () => {
    await using server = await startScriptedWs({ silent: true });
    expect(await failureOf(ws(server.url), 300)).toEqual({ kind: 'timeout', ms: 300 });
  });

  it('refuses a legacy server that is configured as modern', async () => {
    await using server = await startScriptedWs({ eras: ['legacy'] });
    const failure = await failureOf({ ...ws(server.url), era: 'modern' });
    expect(failure).toMatchObject({ kind: 'wrong-era', wanted: 'modern' });
  });
});

describe('the close code of a WebSocket', () => {
  const url = 'wss://example.com/mcp';

  it.each([1000, 1001, 1005, 1012])('means an ordinary end: %i', (code) => {
    expect(failureOfClose(code, url)).toEqual({ kind: 'closed' });
  });

  it.each([
    [3000, 401],
    [4401, 401],
    [1008, 403],
    [3003, 403],
    [4403, 403],
  ])('means that a sign-in is demanded: %i', (code, status) => {
    expect(failureOfClose(code, url)).toEqual({ kind: 'unauthorized', url, status });
  });
});
