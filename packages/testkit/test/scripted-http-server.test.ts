import { describe, expect, it } from 'vitest';
import { startScriptedHttp } from '../src/scripted-http-server.ts';
import { waitUntil } from '../src/wait-until.ts';
import { type Message, modernMeta } from './raw-client.ts';

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw' } };

interface Post {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

function post(
  url: string,
  message: object,
  { headers = {}, signal }: Post = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A modern request with the headers that go with it. */
function modernPost(url: string, method: string, params: object = {}, more: Post = {}) {
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
  const message = { id: 1, method, params: { _meta: modernMeta, ...params } };
  return post(url, message, { ...more, headers: { ...headers, ...more.headers } });
}

async function initialize(url: string): Promise<Record<string, string>> {
  const response = await post(url, { id: 0, method: 'initialize', params: hello });
  expect(((await response.json()) as Message).result).toMatchObject({
    protocolVersion: '2025-11-25',
  });
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  const notified = await post(url, { method: 'notifications/initialized' }, { headers: session });
  expect([notified.status, await notified.text()]).toEqual([202, '']);
  return session;
}

function events(body: string): Message[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Message);
}

describe('the scripted HTTP server in the legacy era', () => {
  it('requires sessions, forgets them and ends them', async () => {
    await using server = await startScriptedHttp({ eras: ['legacy'] });
    const list = { id: 1, method: 'tools/list' };
    expect((await post(server.url, list)).status).toBe(400);
    const session = await initialize(server.url);
    expect((await post(server.url, list, { headers: session })).status).toBe(200);
    server.forgetSessions();
    expect((await post(server.url, list, { headers: session })).status).toBe(404);
    const again = await initialize(server.url);
    const end = { method: 'DELETE', headers: again };
    expect((await fetch(server.url, end)).status).toBe(200);
    expect((await fetch(server.url, end)).status).toBe(404);
    expect((await fetch(server.url)).status).toBe(405);
  });

  it('cancels by notification', async () => {
    await using server = await startScriptedHttp({ eras: ['legacy'] });
    const session = { headers: await initialize(server.url) };
    const leave = new AbortController();
    // Far longer than the notification takes on a busy machine.
    const params = { name: 'sleep', arguments: { ms: 3000 } };
    const sleeping = post(
      server.url,
      { id: 7, method: 'tools/call', params },
      {
        ...session,
        signal: leave.signal,
      },
    );
    await waitUntil(() => server.requests.some(({ rpcMethod }) => rpcMethod === 'tools/call'), {
      describe: 'the call to arrive',
    });
    await post(
      server.url,
      { method: 'notifications/cancelled', params: { requestId: 7 } },
      session,
    );
    const later = { name: 'sleep', arguments: { ms: 3500 } };
    const first = await Promise.race([
      sleeping.then(() => 'cancelled'),
      post(server.url, { id: 9, method: 'tools/call', params: later }, session).then(() => 'later'),
    ]);
    expect(first).toBe('later');
    leave.abort();
    await expect(sleeping).rejects.toThrow();
  });
});

describe('the scripted HTTP server in the modern era', () => {
  it('answers without a session and records the requests', async () => {
    await using server = await startScriptedHttp({ eras: ['modern'] });
    const params = { name: 'echo', arguments: { message: 'hi' } };
    const response = await modernPost(server.url, 'tools/call', params);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(((await response.json()) as Message).result).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      resultType: 'complete',
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      httpMethod: 'POST',
      path: '/mcp',
      headers: { 'mcp-name': 'echo' },
      rpcMethod: 'tools/call',
    });
  });

  it('refuses invalid requests, with the matching status', async () => {
    await using server = await startScriptedHttp({ eras: ['modern'] });
    const refusals = await Promise.all([
      post(server.url, { id: 1, method: 'initialize', params: hello }),
      post(server.url, { id: 1, method: 'tools/list' }),
      modernPost(server.url, 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }),
      modernPost(server.url, 'no/such'),
      post(server.url, { id: 1 }),
    ]);
    const seen = await Promise.all(
      refusals.map(async (response) => [
        response.status,
        ((await response.json()) as Message).error?.code,
      ]),
    );
    expect(seen).toEqual([
      [400, -32022],
      [400, -32602],
      [400, -32020],
      [404, -32601],
      [400, -32700],
    ]);
  });

  it('decodes names that a header cannot contain', async () => {
    const name = 'grüße';
    await using server = await startScriptedHttp({ tools: [{ name }] });
    const headers = { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` };
    const message = { id: 1, method: 'tools/call', params: { name, _meta: modernMeta } };
    const common = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
    const response = await post(server.url, message, { headers: { ...common, ...headers } });
    expect(response.status).toBe(200);
  });
});

describe('the answers of the scripted HTTP server', () => {
  const progress = { _meta: { ...modernMeta, progressToken: 1 } };
  const sleep = { name: 'sleep', arguments: { ms: 2, steps: 2 }, ...progress };

  it('become an event stream when there is progress to report', async () => {
    await using server = await startScriptedHttp();
    const response = await modernPost(server.url, 'tools/call', sleep);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const messages = events(await response.text());
    expect(messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      1,
    ]);
  });

  it('stay JSON or events if configured', async () => {
    await using json = await startScriptedHttp({ http: { answerWith: 'json' } });
    const whole = await modernPost(json.url, 'tools/call', sleep);
    expect(((await whole.json()) as Message).id).toBe(1);
    await using sse = await startScriptedHttp({ http: { answerWith: 'sse' } });
    const stream = await modernPost(sse.url, 'server/discover');
    expect(events(await stream.text())).toHaveLength(1);
  });
});

describe('the faults of the scripted HTTP server', () => {
  it('fail the named requests, a given number of times, with a status and a page', async () => {
    await using server = await startScriptedHttp({
      http: { methods: ['tools/list'], times: 1, status: 502, html: true },
    });
    expect((await modernPost(server.url, 'server/discover')).status).toBe(200);
    const failed = await modernPost(server.url, 'tools/list');
    expect([failed.status, failed.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await failed.text()).toContain('<html>');
    expect((await modernPost(server.url, 'tools/list')).status).toBe(200);
  });

  it('include a demand for authorization', async () => {
    await using server = await startScriptedHttp({ http: { status: 401 } });
    const response = await modernPost(server.url, 'tools/list');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await response.text();
  });

  it('include empty, mistyped, malformed and late answers', async () => {
    await using empty = await startScriptedHttp({ http: { emptyBody: true } });
    const nothing = await modernPost(empty.url, 'tools/list');
    expect([nothing.status, await nothing.text()]).toEqual([200, '']);
    await using typed = await startScriptedHttp({ http: { wrongContentType: true } });
    const plain = await modernPost(typed.url, 'tools/list');
    expect(plain.headers.get('content-type')).toBe('text/plain');
    expect(((await plain.json()) as Message).result).toBeDefined();
    await using broken = await startScriptedHttp({ invalidJson: 'always' });
    await expect((await modernPost(broken.url, 'tools/list')).json()).rejects.toThrow(SyntaxError);
    await using late = await startScriptedHttp({ http: { delayMs: 50 } });
    const began = performance.now();
    await (await modernPost(late.url, 'tools/list')).text();
    expect(performance.now() - began).toBeGreaterThanOrEqual(49);
  });

  it('include a cut connection before or inside the body', async () => {
    await using none = await startScriptedHttp({ http: { resetAfterBytes: 0 } });
    await expect(modernPost(none.url, 'tools/list')).rejects.toThrow('fetch failed');
    await using part = await startScriptedHttp({ http: { resetAfterBytes: 10 } });
    const response = await modernPost(part.url, 'tools/list');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('include a crash, after which closing is harmless', async () => {
    await using server = await startScriptedHttp();
    const exit = { name: 'exit', arguments: { code: 1 } };
    await expect(modernPost(server.url, 'tools/call', exit)).rejects.toThrow('fetch failed');
    await expect(modernPost(server.url, 'tools/list')).rejects.toThrow('fetch failed');
    await server.close();
  });

  it('include an end after the first complete answer', async () => {
    await using server = await startScriptedHttp({ exitAfterInitialize: { exit: 0 } });
    const response = await modernPost(server.url, 'server/discover');
    expect(((await response.json()) as Message).result).toBeDefined();
    await expect(modernPost(server.url, 'tools/list')).rejects.toThrow('fetch failed');
  });

  it('allow closing with open requests', async () => {
    const server = await startScriptedHttp();
    const open = [
      modernPost(server.url, 'tools/call', { name: 'never' }),
      modernPost(server.url, 'tools/call', { name: 'sleep', arguments: { ms: 60_000 } }),
    ];
    const outcomes = Promise.allSettled(open);
    await modernPost(server.url, 'server/discover');
    await server.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
