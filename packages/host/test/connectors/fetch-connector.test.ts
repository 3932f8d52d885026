import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { err, never, ok, Scope, systemClock } from '@plugboard/base';
import { ManualClock, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { fetchConnector, type FetchPorts } from '../../src/connectors/fetch-connector.ts';
import { json, type Serve, settingsFor, startListServer, status } from './list-server.ts';

const PORTS: FetchPorts = { network: undefined, clock: systemClock, signal: never };
const LIST = { servers: [{ name: 'wiki', url: 'https://wiki.example.com/mcp' }] };

/** The result of a request to a server with this answer. */
async function outcomeOf(serve: Serve, ports: Partial<FetchPorts> = {}) {
  await using scope = new Scope();
  const server = await startListServer(scope, serve);
  const outcome = await fetchConnector(settingsFor(server.url), { ...PORTS, ...ports });
  return { outcome, asked: server.asked };
}

describe('a request to a connector', () => {
  it('sends the headers and accepts JSON', async () => {
    const { outcome, asked } = await outcomeOf(json(LIST));
    expect(outcome).toEqual(ok(LIST));
    const sent = asked.map(({ headers }) => [headers.authorization, headers.accept]);
    expect(sent).toEqual([['Bearer first', 'application/json']]);
  });

  it('gets new headers after a 401, and is repeated exactly once', async () => {
    const reasons: string[] = [];
    const { outcome, asked } = await outcomeOf(
      (request, response, count) =>
        (request.headers.authorization === 'Bearer second' ? json(LIST) : status(401))(
          request,
          response,
          count,
        ),
      {
        headersOf: (_, why) => {
          reasons.push(why);
          const token = why === 'first' ? 'first' : 'second';
          return Promise.resolve(ok({ Authorization: `Bearer ${token}` }));
        },
      },
    );
    expect(outcome).toEqual(ok(LIST));
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    expect(reasons).toEqual(['first', 'after-401']);
  });

  it('is given up after the second 401', async () => {
    const { outcome, asked } = await outcomeOf(status(401));
    expect(outcome).toEqual(err({ kind: 'unauthorized' }));
    expect(asked.length).toBe(2);
  });

  it.each([403, 404, 500, 503])('is not repeated after %i', async (code) => {
    const { outcome, asked } = await outcomeOf(status(code));
    expect(outcome).toEqual(err({ kind: 'refused', status: code }));
    expect(asked.length).toBe(1);
  });

  it('is not sent when the headers cannot be made', async () => {
    const { outcome, asked } = await outcomeOf(json(LIST), {
      headersOf: () => Promise.resolve(err('the helper ended with 1')),
    });
    expect(outcome).toEqual(err({ kind: 'no-headers', message: 'the helper ended with 1' }));
    expect(asked.length).toBe(0);
  });

  it('does not quote a header that HTTP does not allow', async () => {
    const { outcome, asked } = await outcomeOf(json(LIST), {
      headersOf: () => Promise.resolve(ok({ Authorization: 'Bearer s3cret\r\nX: y' })),
    });
    expect(asked.length).toBe(0);
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'no-headers' } });
  });

  it('works over https', async () => {
    await using scope = new Scope();
    const pem = (name: string): string =>
      fileURLToPath(new URL(`../protocol/fixtures/tls/${name}`, import.meta.url));
    const cert = readFileSync(pem('server.pem'), 'utf8');
    const key = readFileSync(pem('server.key.pem'), 'utf8');
    const { url } = await startListServer(scope, json(LIST), { cert, key });
    // Node reads extra certificate authorities only when it starts.
    const program = fileURLToPath(new URL('fixtures/ask-connector.mjs', import.meta.url));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [program, JSON.stringify(settingsFor(url))], {
      env: { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: pem('ca.pem') },
    });
    expect(JSON.parse(stdout)).toEqual(ok(LIST));
    // Without that authority, the certificate is not trusted.
    expect(await fetchConnector(settingsFor(url), PORTS)).toMatchObject({
      error: { kind: 'unreachable' },
    });
  });
});

describe('the credentials of a connector', () => {
  it('are not sent to the target of a redirect to another origin', async () => {
    await using scope = new Scope();
    const elsewhere = await startListServer(scope, json(LIST));
    const { outcome, asked } = await outcomeOf(status(302, { location: elsewhere.url }));
    expect(outcome).toEqual(err({ kind: 'redirected', origin: new URL(elsewhere.url).origin }));
    expect([asked.length, elsewhere.asked.length]).toEqual([1, 0]);
  });

  it('follow a redirect on the same origin', async () => {
    const { outcome, asked } = await outcomeOf((request, response, count) =>
      (request.url === '/v2' ? json(LIST) : status(307, { location: '/v2' }))(
        request,
        response,
        count,
      ),
    );
    expect(outcome).toEqual(ok(LIST));
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/servers', 'Bearer first'],
      ['/v2', 'Bearer first'],
    ]);
  });

  it('are not redirected in circles', async () => {
    const { outcome, asked } = await outcomeOf(status(302, { location: '/servers' }));
    expect(outcome).toEqual(err({ kind: 'redirected' }));
    expect(asked.length).toBe(6);
  });

  it.each([
    ['http://connector.example.com/servers', 'insecure'],
    ['http://127.0.0.1.example.com/servers', 'insecure'],
    ['http://my.localhost/servers', 'insecure'],
    ['http://[::ffff:8.8.8.8]/servers', 'insecure'],
    ['file:///etc/passwd', 'insecure'],
    ['https://user:word@connector.example.com/', 'credentials'],
    ['connector.example.com', 'malformed'],
  ] as const)('are never made for %s', async (url, reason) => {
    const headersOf = (): never => {
      throw new Error('asked for credentials');
    };
    expect(await fetchConnector(settingsFor(url), { ...PORTS, headersOf })).toEqual(
      err({ kind: 'bad-url', reason }),
    );
  });
});

describe('a connector with a bad answer', () => {
  const html = '<!doctype html><title>Sign in</title>';
  const huge = Buffer.alloc(2 * 1024 * 1024, ' ');

  it.each<[string, Serve, object]>([
    [
      'a web page',
      (_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
      { kind: 'not-json', contentType: 'text/html' },
    ],
    [
      'JSON that ends in the middle',
      (_, response) => response.end('{"servers": ['),
      { kind: 'not-json', contentType: '' },
    ],
    ['nothing', (_, response) => response.end(), { kind: 'not-json', contentType: '' }],
    [
      'bytes that are no text',
      (_, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      { kind: 'not-json', contentType: '' },
    ],
    [
      'a type that wants to be printed',
      (_, response) => response.setHeader('content-type', 'x\u009b31m/y').end('no'),
      { kind: 'not-json', contentType: '' },
    ],
    ['too much', (_, response) => response.end(huge), { kind: 'too-large', limit: 1024 * 1024 }],
    [
      'too much, packed small',
      (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(huge)),
      { kind: 'too-large', limit: 1024 * 1024 },
    ],
    [
      'JSON that is too deep',
      (_, response) => response.end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      { kind: 'too-deep', limit: 32 },
    ],
    [
      'a connection that breaks',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"servers":', () => response.destroy());
      },
      { kind: 'unreachable', code: 'UND_ERR_SOCKET' },
    ],
  ])('yields a problem, not an exception: %s', async (_, serve, problem) => {
    const { outcome } = await outcomeOf(serve);
    expect(outcome).toEqual(err(problem));
  });

  it('is given up when it cannot be reached', async () => {
    await using scope = new Scope();
    const { url } = await startListServer(scope, json(LIST));
    await scope.close();
    expect(await fetchConnector(settingsFor(url), PORTS)).toEqual(
      err({ kind: 'unreachable', code: 'ECONNREFUSED' }),
    );
  });

  it.each<[string, Serve]>([
    ['never begins to answer', () => {}],
    ['never ends its answer', (_, response) => void response.write('{')],
  ])('is given up after ten seconds when it %s', async (_, serve) => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const server = await startListServer(scope, serve);
    const asking = fetchConnector(settingsFor(server.url), { ...PORTS, clock });
    await waitUntil(() => server.asked.length === 1, { describe: 'the request' });
    await clock.advance(10_000);
    expect(await asking).toEqual(err({ kind: 'timed-out', ms: 10_000 }));
    expect(clock.pending).toBe(0);
  });

  it('is abandoned when the caller aborts', async () => {
    await using scope = new Scope();
    const giving = new AbortController();
    const server = await startListServer(scope, () => giving.abort(new Error('enough')));
    const asking = fetchConnector(settingsFor(server.url), { ...PORTS, signal: giving.signal });
    await expect(asking).rejects.toThrow('enough');
  });
});
