import { never, Scope } from '@plugboard/base';
import {
  startConnectProxy,
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { networkSettings } from '../../src/platform/index.ts';
import type { CallOptions, Launch } from '../../src/protocol/index.ts';
import { proxyFor } from '../../src/protocol/network/proxy-for.ts';
import { failureOf, openOrThrow } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };

/** A server whose name only the proxy can resolve. */
const HOST = 'mcp.test';

async function startPeer(kind: 'http' | 'sse' | 'ws', scope: Scope): Promise<URL> {
  const start = { http: startScriptedHttp, sse: startScriptedSse, ws: startScriptedWs }[kind];
  return new URL(scope.use(await start()).url);
}

function through(url: URL, kind: 'http' | 'sse' | 'ws', env: Record<string, string>): Launch {
  const network = networkSettings({ env, cwd: '/' });
  const base = { kind, url: url.href, headers: {}, era: 'auto' } as const;
  return network === undefined ? base : { ...base, network };
}

describe('a proxy', () => {
  it.each(['http', 'sse', 'ws'] as const)('is used to reach a server over %s', async (kind) => {
    verifies('TRN-10');
    await using scope = new Scope();
    const url = await startPeer(kind, scope);
    const proxy = scope.use(await startConnectProxy({ port: Number(url.port) }));
    url.host = HOST;
    url.port = '8080';
    const address = proxy.url.replace('//', '//user:p%40ss@');
    const session = await openOrThrow(through(url, kind, { HTTP_PROXY: address }), scope);
    const echoed = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    expect(echoed).toMatchObject({ ok: true, value: { content: [{ text: 'hi' }] } });
    const credentials = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(proxy.asked.length).toBeGreaterThan(0);
    for (const each of proxy.asked) {
      expect(each).toEqual({ authority: `${HOST}:8080`, credentials });
    }
  });

  it.each(['http', 'sse', 'ws'] as const)('that refuses is reported, over %s', async (kind) => {
    verifies('TRN-10');
    await using scope = new Scope();
    const proxy = scope.use(await startConnectProxy({ port: 1, refuse: 407 }));
    const url = new URL(kind === 'ws' ? `ws://${HOST}/mcp` : `http://${HOST}/mcp`);
    const failure = await failureOf(through(url, kind, { http_proxy: proxy.url }));
    expect(failure).toEqual({ kind: 'unreachable', url: url.href, code: 'PROXY_407' });
  });

  it('that is unreachable is reported', async () => {
    const proxy = await startConnectProxy({ port: 1 });
    await proxy[Symbol.asyncDispose]();
    const url = new URL(`http://${HOST}/mcp`);
    const failure = await failureOf(through(url, 'http', { http_proxy: proxy.url }));
    expect(failure).toEqual({ kind: 'unreachable', url: url.href, code: 'ECONNREFUSED' });
  });

  it.each([
    ['socks5://127.0.0.1:1', 'PROXY_UNSUPPORTED'],
    ['http://', 'ERR_INVALID_URL'],
  ])('of an unknown kind is reported: %s', async (address, code) => {
    const url = new URL(`http://${HOST}/mcp`);
    const failure = await failureOf(through(url, 'http', { http_proxy: address }));
    expect(failure).toEqual({ kind: 'unreachable', url: url.href, code });
  });

  it('is not used for servers of this machine', async () => {
    verifies('TRN-10');
    await using scope = new Scope();
    const url = await startPeer('http', scope);
    const proxy = scope.use(await startConnectProxy({ port: Number(url.port) }));
    await openOrThrow(through(url, 'http', { HTTP_PROXY: proxy.url }), scope);
    expect(proxy.asked).toEqual([]);
  });

  it('that never answers is given up in time', async () => {
    await using scope = new Scope();
    const peer = scope.use(await startScriptedHttp({ silent: true }));
    const proxy = scope.use(await startConnectProxy({ port: Number(new URL(peer.url).port) }));
    const url = new URL(`http://${HOST}/mcp`);
    const failure = await failureOf(through(url, 'http', { http_proxy: proxy.url }), 300);
    expect(failure).toEqual({ kind: 'timeout', ms: 300 });
  });
});

describe('the proxy for an address', () => {
  const settings = (noProxy: string) =>
    networkSettings({
      env: { HTTP_PROXY: 'plain:3128', HTTPS_PROXY: 'http://secure:3128', NO_PROXY: noProxy },
      cwd: '/',
    }) ?? { proxies: {}, noProxy: [] };
  const chosen = (url: string, noProxy = ''): string | undefined =>
    proxyFor(new URL(url), settings(noProxy))?.host;

  it.each([
    ['http://example.com', 'plain:3128'],
    ['ws://example.com', 'plain:3128'],
    ['https://example.com', 'secure:3128'],
    ['wss://example.com', 'secure:3128'],
    ['http://localhost:1', undefined],
    ['http://app.localhost', undefined],
    ['http://127.1.2.3', undefined],
    ['http://[::1]:8', undefined],
    ['http://localhost.example.com', 'plain:3128'],
  ])('follows the scheme, and is never used for this machine: %s', (url, proxy) => {
    verifies('TRN-10');
    expect(chosen(url)).toBe(proxy);
  });

  it.each([
    ['*', 'https://example.com', false],
    ['example.com', 'https://example.com', false],
    ['EXAMPLE.com', 'https://api.example.com', false],
    ['.example.com', 'https://api.example.com', false],
    ['*.example.com', 'https://api.example.com', false],
    ['other.org, example.com', 'https://example.com', false],
    ['other.org example.com', 'https://example.com', false],
    ['example.com', 'https://badexample.com', true],
    ['example.com', 'https://example.com.evil.org', true],
    ['example.com:8443', 'https://example.com', true],
    ['example.com:8443', 'https://example.com:8443', false],
    ['example.com:443', 'https://example.com', false],
    ['10.0.0.1', 'http://10.0.0.1:3000', false],
    ['10.0.0.1', 'http://10.0.0.11', true],
    ['[fd00::1]', 'http://[fd00::1]:3000', false],
    ['fd00::1', 'http://[fd00::1]:3000', false],
    [',,', 'https://example.com', true],
  ])('is not used if NO_PROXY matches: %s for %s', (noProxy, url, isProxied) => {
    verifies('TRN-10');
    expect(chosen(url, noProxy) !== undefined).toBe(isProxied);
  });
});
