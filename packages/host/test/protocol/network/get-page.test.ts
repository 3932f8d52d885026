// Pages of the public web, from servers on loopback in place of public ones: a test sets the address that the guard sees
// for a name, and connections to it go to loopback.

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { never, Scope, systemClock } from '@plugboard/base';
import { ManualClock, startConnectProxy, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { getPage, type GetPageOptions } from '../../../src/protocol/index.ts';
import type { Dial } from '../../../src/protocol/network/dial.ts';
import { type Answer, redirects, says, startWebServer, type WebServer } from './web-server.ts';

const PUBLIC = '93.184.215.14';

const OPTIONS: GetPageOptions = {
  environment: { env: {}, cwd: '/' },
  headers: { 'user-agent': 'test' },
  maxBytes: 10_000,
  timeoutMs: 60_000,
  clock: systemClock,
  signal: never,
};

/** All names have a public address, whose connections go to a server on this machine. */
function publicly({ port }: Pick<WebServer, 'port'>): Partial<GetPageOptions> & {
  readonly dialled: (readonly string[])[];
} {
  const dialled: (readonly string[])[] = [];
  const dial: Dial = ({ addresses = [] }) => {
    dialled.push(addresses);
    const socket = connect({ host: '127.0.0.1', port });
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(socket)).once('error', reject);
    });
  };
  return { resolve: () => Promise.resolve([PUBLIC]), dial, dialled };
}

async function outcomeOf(url: string, options: Partial<GetPageOptions> = {}): Promise<unknown> {
  const got = await getPage(new URL(url), { ...OPTIONS, ...options });
  if (!got.ok) return got.error;
  const { status, bytes } = got.value;
  return { url: got.value.url.href, status, text: Buffer.from(bytes).toString() };
}

describe('a page', () => {
  verifies('AGT-20');

  it('is read by http from the checked address, and from no other', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('hello'));
    const seams = publicly(server);
    expect(await outcomeOf('http://docs.example.com/a', seams)).toEqual({
      url: 'http://docs.example.com/a',
      status: 200,
      text: 'hello',
    });
    expect(seams.dialled).toEqual([[PUBLIC]]);
    expect(server.asked).toMatchObject([{ method: 'GET', path: '/a', body: '' }]);
  });

  it.each([
    ['http://127.0.0.1/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['https://10.1.2.3/', 'private'],
    ['http://192.168.0.1/', 'private'],
    ['http://[fd12:3456::1]/', 'private'],
    ['http://169.254.1.1/', 'link-local'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://169.254.169.254/latest/meta-data/', 'metadata'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'reserved'],
    ['http://0.0.0.0/', 'reserved'],
  ])('is not read from %s', async (url, range) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('secret'));
    const { dial } = publicly(server);
    expect(await outcomeOf(url, { dial })).toMatchObject({ kind: 'address', range });
    expect(server.connections()).toBe(0);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['private', '10.0.0.7'],
    ['metadata', '169.254.169.254'],
    ['loopback', '::1'],
  ])('is not read by a name that leads to a %s address', async (range, address) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('secret'));
    const { dial } = publicly(server);
    const resolve = () => Promise.resolve([address]);
    expect(await outcomeOf('http://rebound.example.com/', { dial, resolve })).toMatchObject({
      kind: 'address',
      range,
      address,
    });
    expect(server.connections()).toBe(0);
  });

  it.each([
    ['ftp://docs.example.com/', { kind: 'scheme' }],
    ['file:///etc/passwd', { kind: 'scheme' }],
    ['data:text/html,hello', { kind: 'scheme' }],
    ['http://me:secret@docs.example.com/', { kind: 'credentials' }],
    ['http://metadata.google.internal/', { kind: 'inner-name' }],
    ['http://docs.example.com:22/', { kind: 'unreachable', code: 'BLOCKED_PORT' }],
  ])('is not read from %s', async (url, problem) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('secret'));
    expect(await outcomeOf(url, publicly(server))).toMatchObject(problem);
    expect(server.connections()).toBe(0);
  });

  it('is read after redirects within its origin, each of which is checked again', async () => {
    await using scope = new Scope();
    const answer: Answer = (response, { path }) =>
      (path === '/a' ? redirects('/b') : says('moved'))(response, {} as never);
    const server = await startWebServer(scope, answer);
    const seams = publicly(server);
    expect(await outcomeOf('http://docs.example.com/a', seams)).toMatchObject({
      url: 'http://docs.example.com/b',
      text: 'moved',
    });
    // The same name resolves to another address the second time.
    const answers = [[PUBLIC], ['127.0.0.1']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    expect(await outcomeOf('http://docs.example.com/a', { ...seams, resolve })).toMatchObject({
      kind: 'address',
      range: 'loopback',
    });
    expect(server.asked.map(({ path }) => path)).toEqual(['/a', '/b', '/a']);
  });

  it.each(['https://docs.example.com/', 'http://other.example.com/x', 'http://127.0.0.1/'])(
    'is not read after a redirect to %s, another origin, which is returned',
    async (to) => {
      await using scope = new Scope();
      const server = await startWebServer(scope, redirects(to));
      expect(await outcomeOf('http://docs.example.com/a', publicly(server))).toEqual({
        kind: 'other-origin',
        to: new URL(to),
      });
      expect(server.asked).toHaveLength(1);
    },
  );

  it('that redirects endlessly is given up', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, redirects('/again'));
    expect(await outcomeOf('http://docs.example.com/', publicly(server))).toEqual({
      kind: 'redirected',
      why: 'too-often',
    });
    expect(server.asked).toHaveLength(6);
  });

  it('that is too large, even if only after decompression, is not read to its end', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('x'.repeat(1_000_000)));
    });
    expect(await outcomeOf('http://docs.example.com/', publicly(server))).toMatchObject({
      kind: 'too-large',
      limit: 10_000,
    });
  });

  it('that never ends is given up at the timeout', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => void response.write('begin'));
    const clock = new ManualClock();
    const reading = outcomeOf('http://docs.example.com/', { ...publicly(server), clock });
    await waitUntil(() => server.asked.length === 1, { describe: 'the request' });
    await clock.advance(60_000);
    expect(await reading).toMatchObject({ kind: 'timed-out', ms: 60_000 });
  });

  it('is read through the proxy of the environment, which gets no private name', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('proxied'));
    const proxy = scope.use(await startConnectProxy({ port: server.port }));
    const environment = { env: { HTTP_PROXY: proxy.url }, cwd: '/' };
    expect(await outcomeOf('http://docs.example.com/', { environment })).toMatchObject({
      text: 'proxied',
    });
    expect(await outcomeOf('http://wiki.corp/', { environment })).toMatchObject({
      kind: 'inner-name',
    });
    expect(await outcomeOf('http://10.0.0.1/', { environment })).toMatchObject({ kind: 'address' });
    expect(proxy.asked.map(({ authority }) => authority)).toEqual(['docs.example.com:80']);
  });
});
