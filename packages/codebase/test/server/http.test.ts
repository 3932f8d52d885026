import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHttp } from './cells.ts';
import { type HttpServerProcess, startCommand, startHttp } from './server-process.ts';

let place: TempFolder;
let server: HttpServerProcess;
let common: readonly string[];

beforeAll(async () => {
  place = await tempFolder();
  await place.write('tree/a.txt', 'needle');
  common = ['--root', join(place.path, 'tree'), '--cache', join(place.path, 'cache')];
  server = await startHttp(common);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface RequestOptions {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Raw, since `fetch` sets the headers that matter here itself. */
function send(path: string, sent: RequestOptions = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body = '', url = server.url } = sent;
  return new Promise((resolve, reject) => {
    const asking = request(
      new URL(path, url),
      { method, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString('utf8')));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
          }),
        );
      },
    );
    asking.on('error', reject);
    asking.end(method === 'GET' ? undefined : body);
  });
}

const rpc = (method: string, params?: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) });

describe('the server over HTTP', () => {
  verifies('COD-01');

  it('reports its state on /health', async () => {
    verifies('COD-09');
    const { status, body } = await send('/health', { method: 'GET' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      name: 'plugboard-codebase',
      version: '0.1.0',
      service: { name: 'plugboard-codebase', version: '0.1.0' },
      transport: 'http',
      mode: expect.stringMatching(/^(lexical|hybrid)$/) as unknown,
      index: { state: expect.stringMatching(/^(indexing|ready)$/) as unknown },
    });
    expect(JSON.stringify(body)).not.toContain(place.path);
  });

  it('answers the preflight request of a page of this machine, and of no other', async () => {
    verifies('COD-09');
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'content-type,mcp-session-id, mcp-method,x-evil,authorization',
    };
    const preflight = (origin: string) =>
      send('/mcp', { method: 'OPTIONS', headers: { origin, ...asked } });
    const { status, headers, body } = await preflight('http://localhost:3000');
    expect({ status, body, headers }).toMatchObject({
      status: 204,
      body: '',
      headers: {
        vary: 'Origin',
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-allow-headers': 'content-type, mcp-session-id, mcp-method, authorization',
        'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate',
      },
    });
    for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example']) {
      const other = await preflight(origin);
      expect(other.status).toBe(403);
      expect(other.headers).not.toHaveProperty('access-control-allow-origin');
    }
    const plain = await send('/mcp', { method: 'OPTIONS' });
    expect([plain.status, plain.headers['vary']]).toEqual([405, 'Origin']);
  });

  it('lets pages of allowed origins read answers and refusals, but not skip the token', async () => {
    verifies('COD-09');
    const env = { TOKEN: 'a-long-enough-token' };
    const flags = ['--token-variable', 'TOKEN', '--allow-origin', 'https://tools.example'];
    await using guarded = await startHttp([...common, ...flags], env);
    const { url } = guarded;
    const headers = { origin: 'https://tools.example' };
    const asked = { 'access-control-request-method': 'GET' };
    const preflight = await send('/health', {
      url,
      method: 'OPTIONS',
      headers: { ...headers, ...asked },
    });
    const refused = await send('/health', { url, method: 'GET', headers });
    const authorization = `Bearer ${env.TOKEN}`;
    const answered = await send('/health', {
      url,
      method: 'GET',
      headers: { ...headers, authorization },
    });
    expect([preflight, refused, answered].map(({ status }) => status)).toEqual([204, 401, 200]);
    for (const answer of [preflight, refused, answered]) {
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://tools.example',
        vary: 'Origin',
      });
    }
    expect(refused.headers).toMatchObject({ 'www-authenticate': 'Bearer' });
    await using mistaken = startCommand([...common, '--http', '0', '--allow-origin', '*']);
    expect(await mistaken.ended).toBe(1);
    expect(mistaken.stderr()).toContain('"*" is not an origin');
  });

  it('adds its data under compatible names with --format compat', async () => {
    verifies('COD-11');
    await using compat = await startHttp([...common, '--format', 'compat']);
    const params = { name: 'search_code', arguments: { query: 'needle' } };
    const accept = 'application/json';
    const ask = async (url: string) => {
      const { body } = await send('/mcp', {
        url,
        headers: { accept },
        body: rpc('tools/call', params),
      });
      return (body as { result: Record<string, unknown> }).result;
    };
    const match = { line: 1, text: 'needle' };
    expect(await ask(compat.url)).toMatchObject({
      structuredContent: {
        files: [{ path: 'a.txt', file_path: 'a.txt', matches: [{ ...match, line_number: 1 }] }],
      },
    });
    expect(await ask(server.url)).not.toHaveProperty('structuredContent');
  });

  it('reports on /health that its root is gone', async () => {
    await place.write('short-lived/a.txt', 'x');
    const root = join(place.path, 'short-lived');
    await using other = await startHttp(['--root', root, '--cache', join(place.path, 'cache')]);
    await rm(root, { recursive: true });
    const { status, body } = await send('/health', { url: other.url, method: 'GET' });
    expect({ status, body }).toMatchObject({ status: 503, body: { status: 'root-gone' } });
  });

  it.each(['/mcp', '/health', '/', '/nothing'])(
    'refuses pages that use DNS rebinding, on %s',
    async (path) => {
      const method = path === '/health' ? 'GET' : 'POST';
      const body = rpc('tools/list');
      const port = new URL(server.url).port;
      for (const headers of [
        { host: 'evil.example' },
        { host: `evil.example:${port}` },
        { host: `127.0.0.1.evil.example:${port}` },
        { host: `localhost:${port}@evil.example` },
        { host: `10.0.0.1:${port}` },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'file://localhost' },
      ]) {
        expect((await send(path, { method, headers, body })).status).toBe(403);
      }
    },
  );

  it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080'])(
    'accepts pages of this machine: %s',
    async (origin) => {
      const { status } = await send('/health', { method: 'GET', headers: { origin } });
      expect(status).toBe(200);
    },
  );

  it.each(['/mcp', '/'])('answers clients without a session, on POST %s', async (path) => {
    const { status, body } = await send(path, {
      body: rpc('tools/call', { name: 'search_code', arguments: { query: 'needle' } }),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 7, result: { _meta: { 'plugboard/data': { total: 1 } } } });
  });

  it.each([
    ['not JSON', 400, -32_700, null],
    ['', 400, -32_700, null],
    ['[]', 400, -32_600, null],
    ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 400, -32_600, 3],
    ['{"id":"x","method":5,"jsonrpc":"2.0"}', 400, -32_600, 'x'],
    [`${'['.repeat(300)}${']'.repeat(300)}`, 400, -32_600, null],
  ])('answers %j with a JSON-RPC error code', async (body, status, code, id) => {
    for (const path of ['/mcp', '/']) {
      const answer = await send(path, { body });
      expect(answer).toMatchObject({ status, body: { jsonrpc: '2.0', id, error: { code } } });
    }
  });

  it('answers an unknown method and invalid params with their error codes', async () => {
    const unknown = await send('/mcp', { body: rpc('nothing/at-all') });
    expect(unknown.body).toMatchObject({ id: 7, error: { code: -32_601 } });
    const bad = await send('/mcp', { body: rpc('tools/call', { name: 5 }) });
    expect(bad.body).toMatchObject({ id: 7, error: { code: -32_602 } });
    const noTool = await send('/mcp', { body: rpc('tools/call', { name: 'nothing' }) });
    expect(noTool.body).toMatchObject({ id: 7, error: { code: -32_602 } });
  });

  it('refuses a body that is too large or not JSON', async () => {
    const large = await send('/mcp', { body: `"${'x'.repeat(5_000_000)}"` }).catch(() => 'cut');
    expect(large === 'cut' || (large as Answer).status === 413).toBe(true);
    const { status } = await send('/mcp', {
      body: rpc('ping'),
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(415);
  });

  it('refuses an unknown session id', async () => {
    const headers = {
      'mcp-session-id': 'made-up',
      accept: 'application/json, text/event-stream',
    };
    expect((await send('/mcp', { headers, body: rpc('tools/list') })).status).toBe(404);
    expect((await send('/mcp', { headers, method: 'GET' })).status).toBe(404);
    expect((await send('/mcp', { method: 'GET' })).status).toBe(405);
    expect((await send('/elsewhere', { method: 'GET' })).status).toBe(404);
  });

  it('serves clients of both eras at once, each in its own session', async () => {
    const legacy = await connectHttp('legacy', server.url);
    const modern = await connectHttp('modern', server.url);
    const lists = await Promise.all([legacy.listTools(), modern.listTools()]);
    expect(lists.map(({ tools }) => tools.length)).toEqual([11, 11]);
    await legacy.close();
    await modern.close();
  });

  it('states in answers of the modern era how long they may be cached', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
    };
    const ask = async (method: string, params: Record<string, unknown> = {}): Promise<unknown> => {
      const name = params['uri'];
      const own = typeof name === 'string' ? { 'mcp-name': name } : {};
      const { body } = await send('/mcp', {
        headers: { ...headers, 'mcp-method': method, ...own },
        body: rpc(method, { ...params, _meta: meta }),
      });
      return body;
    };
    for (const method of [
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
    ]) {
      expect(await ask(method)).toMatchObject({ result: { ttlMs: 300_000, cacheScope: 'public' } });
    }
    expect(await ask('resources/read', { uri: 'codebase://files' })).toMatchObject({
      result: { ttlMs: 1000, cacheScope: 'private' },
    });
  });
});

describe('the token of the HTTP server', () => {
  const TOKEN = 'correct-horse-battery-staple';

  it('is required when other machines can connect', async () => {
    await using refused = startCommand([...common, '--http', '0', '--host', '0.0.0.0']);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toContain('--token-variable');
    await using unset = startCommand([...common, '--http', '0', '--token-variable', 'NOT_THERE']);
    expect(await unset.ended).toBe(2);
    await using short = startCommand([...common, '--http', '0', '--token-variable', 'T'], {
      T: 'x',
    });
    expect(await short.ended).toBe(1);
    expect(short.stderr()).toContain('16 characters');
  });

  it('grants access on every route, and nothing else does', async () => {
    await using guarded = await startHttp([...common, '--token-variable', 'THE_TOKEN'], {
      THE_TOKEN: TOKEN,
    });
    const { url } = guarded;
    for (const authorization of ['', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
      const headers = { authorization };
      for (const path of ['/mcp', '/', '/health']) {
        const method = path === '/health' ? 'GET' : 'POST';
        const answer = await send(path, { url, method, headers, body: rpc('tools/list') });
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
    for (const era of ['legacy', 'modern'] as const) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const client = await connectHttp(era, url, { headers });
      expect((await client.listTools()).tools).toHaveLength(11);
      await client.close();
    }
    expect(guarded.stderr()).not.toContain(TOKEN);
  });
});
