import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buffer, text } from 'node:stream/consumers';
import { err, never, ok, systemClock } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type AwaitRedirectOptions,
  listenForRedirect,
  type ListenForRedirectOptions,
  type ListenProblem,
  type RedirectListener,
  type RedirectProblem,
} from '../../../src/protocol/index.ts';

/** A listener that is waiting for a redirect. */
interface OpenListener extends AsyncDisposable {
  readonly redirectUri: string;
  readonly redirect: ReturnType<RedirectListener['redirect']>;
  close(): Promise<void>;
}

async function listening(
  options: ListenForRedirectOptions & Partial<AwaitRedirectOptions> = {},
): Promise<OpenListener> {
  const listener = await listenForRedirect(options);
  if (!listener.ok) throw new Error(`cannot listen: ${JSON.stringify(listener.error)}`);
  const { redirectUri } = listener.value;
  const given = { state: 'st4te', timeoutMs: 60_000, clock: systemClock, signal: never };
  const redirect = listener.value.redirect({ ...given, ...options });
  const close = (): Promise<void> => listener.value.close();
  return { redirectUri, redirect, close, [Symbol.asyncDispose]: close };
}

interface ShownPage {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly page: string;
}

/** Sends one request on its own connection, with headers that `fetch` would not send. */
async function ask(
  url: string,
  options: { readonly method?: string; readonly headers?: Record<string, string | string[]> } = {},
): Promise<ShownPage> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const asked = request({
    // It must listen at every address to which the name resolves on this machine.
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port,
    path: `${pathname}${search}`,
    method: options.method ?? 'GET',
    headers: { host, ...options.headers },
    agent: false,
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    page: await text(response),
  };
}

const isRefused = async (port: number, host = '127.0.0.1'): Promise<boolean> => {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    // Only this one is used.
    return true;
  } finally {
    socket.destroy();
  }
};

describe('a redirect to the loopback callback', () => {
  verifies('AUT-04');

  it('is accepted, and its page reveals nothing', async () => {
    await using listener = await listening();
    expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const shown = await ask(`${listener.redirectUri}?code=t0ken&state=st4te&iss=https%3A%2F%2Fa`, {
      headers: { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' },
    });
    expect(await listener.redirect).toEqual(
      ok(new URLSearchParams({ code: 't0ken', state: 'st4te', iss: 'https://a' })),
    );
    expect(shown.status).toBe(200);
    expect(shown.page).toContain('close this tab');
    expect(JSON.stringify(shown)).not.toMatch(/t0ken|st4te/);
    expect(shown.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/) as string,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(shown.page).not.toContain('<script');
  });

  it('may carry an error, whose text is not shown', async () => {
    await using listener = await listening();
    const { status, page } = await ask(
      `${listener.redirectUri}?error=access_denied&state=st4te&error_description=%3Cscript%3Ealert(1)%3C/script%3E`,
    );
    expect(status).toBe(200);
    expect(page).toContain('not completed');
    expect(page).not.toMatch(/alert|access_denied/);
    const redirect = await listener.redirect;
    expect(redirect.ok && redirect.value.get('error')).toBe('access_denied');
  });

  it('is accepted once, and then the port is closed', async () => {
    const listener = await listening();
    const { port } = new URL(listener.redirectUri);
    await ask(`${listener.redirectUri}?code=first&state=st4te`);
    await listener.redirect;
    expect(await isRefused(Number(port))).toBe(true);
    await listener.close();
    expect(await listener.redirect).toEqual(
      ok(new URLSearchParams({ code: 'first', state: 'st4te' })),
    );
  });

  it('is accepted once, also if two arrive at the same time', async () => {
    await using listener = await listening();
    const { port, host } = new URL(listener.redirectUri);
    const get = (code: string): string =>
      `GET /callback?code=${code}&state=st4te HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const sockets = ['first', 'second'].map((code) => {
      const socket = connect(Number(port), '127.0.0.1');
      return { socket, code };
    });
    await Promise.all(sockets.map(({ socket }) => once(socket, 'connect')));
    for (const { socket, code } of sockets) socket.write(get(code));
    const [first] = await Promise.all(
      // The port may be closed for the second one.
      sockets.map(async ({ socket }) => String(await buffer(socket).catch(() => 'gone'))),
    );
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(await listener.redirect).toEqual(
      ok(new URLSearchParams({ code: 'first', state: 'st4te' })),
    );
  });

  it('may arrive at a fixed port, under the name localhost', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    await using listener = await listening({ port, host: 'localhost' });
    expect(listener.redirectUri).toBe(`http://localhost:${port}/callback`);
    expect((await ask(`http://127.0.0.1:${port}/callback?code=a&state=st4te`)).status).toBe(403);
    expect((await ask(`${listener.redirectUri}?code=b&state=st4te`)).status).toBe(200);
    expect(await listener.redirect).toEqual(ok(new URLSearchParams({ code: 'b', state: 'st4te' })));
  });
});

describe('a foreign request to the loopback callback', () => {
  verifies('AUT-04');
  const GOOD = '?code=good&state=st4te';

  it.each([
    ['a foreign host', GOOD, { headers: { host: 'evil.example' } }, 403],
    ['a foreign port', GOOD, { headers: { host: '127.0.0.1:1' } }, 403],
    ['the other name', GOOD, { headers: { host: 'localhost' } }, 403],
    ['a foreign origin', GOOD, { headers: { origin: 'https://evil.example' } }, 403],
    ['an origin that is hidden', GOOD, { headers: { origin: 'null' } }, 403],
    ['an image of a page', GOOD, { headers: { 'sec-fetch-dest': 'image' } }, 403],
    ['a script of a page', GOOD, { headers: { 'sec-fetch-dest': 'empty' } }, 403],
    ['a frame of a page', GOOD, { headers: { 'sec-fetch-dest': 'iframe' } }, 403],
    ['something sent', GOOD, { method: 'POST' }, 405],
    ['something to be left out', GOOD, { method: 'HEAD' }, 405],
    ['a question', GOOD, { method: 'OPTIONS' }, 405],
    ['nothing', '', {}, 400],
    ['neither code nor error', '?state=st4te', {}, 400],
    ['both', '?code=bad&error=no&state=st4te', {}, 400],
    ['two codes', '?code=bad&code=worse&state=st4te', {}, 400],
    ['two states', '?code=bad&state=st4te&state=other', {}, 400],
    ['another state', '?code=bad&state=other', {}, 403],
    ['no state', '?code=bad', {}, 403],
    ['an empty state', '?code=bad&state=', {}, 403],
    ['an error of another state', '?error=no&state=st4te2', {}, 403],
    ['another path', '/../favicon.ico?code=bad&state=st4te', {}, 404],
    ['a path below', '/more?code=bad&state=st4te', {}, 404],
  ])('is rejected, and the waiting continues: %s', async (_, rest, options, status) => {
    await using listener = await listening();
    const shown = await ask(`${listener.redirectUri}${rest}`, options);
    expect(shown.status).toBe(status);
    expect(shown.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    await ask(`${listener.redirectUri}${GOOD}&last=1`);
    expect(await listener.redirect).toEqual(ok(new URLSearchParams(`${GOOD}&last=1`)));
  });

  it.each([
    [
      'two hosts',
      (host: string) => `GET /callback?code=a&state=st4te HTTP/1.1\r\nHost: ${host}\r\nHost: x\r\n`,
    ],
    ['no host', () => 'GET /callback?code=a&state=st4te HTTP/1.1\r\n'],
    ['a host of an old request', () => 'GET /callback?code=a&state=st4te HTTP/1.0\r\n'],
    [
      'a whole url',
      (host: string) => `GET http://evil/callback?code=a&state=st4te HTTP/1.1\r\nHost: ${host}\r\n`,
    ],
    ['not HTTP', () => 'hello\r\n'],
  ])('is rejected, and the waiting continues: %s', async (_, said) => {
    await using listener = await listening();
    const { port, host } = new URL(listener.redirectUri);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${said(host)}\r\n`);
    expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1\.1 40\d/);
    await ask(`${listener.redirectUri}?code=good&state=st4te`);
    expect(await listener.redirect).toEqual(
      ok(new URLSearchParams({ code: 'good', state: 'st4te' })),
    );
  });

  it('is not possible from another machine', async () => {
    await using listener = await listening();
    const { port } = new URL(listener.redirectUri);
    const outer = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    // Only on Linux, all of 127.0.0.0/8 is this machine.
    const inner = process.platform === 'linux' ? ['127.0.0.2', '::1'] : ['::1'];
    for (const address of [...outer, ...inner]) {
      expect(await isRefused(Number(port), address)).toBe(true);
    }
  });
});

describe('waiting at the loopback callback', () => {
  verifies('AUT-04');
  const CANCELLED: RedirectProblem = { kind: 'cancelled' };

  it('ends after its timeout, even with open connections', async () => {
    const clock = new ManualClock();
    const listener = await listening({ timeoutMs: 300_000, clock });
    const { port } = new URL(listener.redirectUri);
    const idler = connect(Number(port), '127.0.0.1');
    await once(idler, 'connect');
    idler.on('error', () => {
      // A reset is an end, too.
    });
    const ended = new Promise((resolve) => idler.once('close', resolve));
    idler.write('GET /callback?code=');
    await clock.advance(300_000);
    expect(await listener.redirect).toEqual(err({ kind: 'timed-out', ms: 300_000 }));
    await ended;
    expect(await isRefused(Number(port))).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('can be aborted by either side', async () => {
    const cancelling = new AbortController();
    const [one, other] = [await listening({ signal: cancelling.signal }), await listening()];
    cancelling.abort();
    expect(await one.redirect).toEqual(err(CANCELLED));
    await Promise.all([other.close(), other.close()]);
    expect(await other.redirect).toEqual(err(CANCELLED));
    for (const { redirectUri } of [one, other]) {
      expect(await isRefused(Number(new URL(redirectUri).port))).toBe(true);
    }
  });

  it('does not begin before the expected state is known', async () => {
    const listener = await listenForRedirect();
    if (!listener.ok) throw new Error(`cannot listen: ${listener.error.kind}`);
    const { redirectUri } = listener.value;
    expect((await ask(`${redirectUri}?code=early&state=st4te`)).status).toBe(403);
    const given = { state: 'st4te', timeoutMs: 60_000, clock: systemClock, signal: never };
    const redirect = listener.value.redirect(given);
    expect((await ask(`${redirectUri}?code=good&state=st4te`)).status).toBe(200);
    expect(await redirect).toEqual(ok(new URLSearchParams({ code: 'good', state: 'st4te' })));
  });

  it('does not begin if it is already aborted', async () => {
    const listener = await listenForRedirect();
    if (!listener.ok) throw new Error(`cannot listen: ${listener.error.kind}`);
    await listener.value.close();
    expect(await isRefused(Number(new URL(listener.value.redirectUri).port))).toBe(true);
  });

  it('does not begin if it was closed before', async () => {
    const listener = await listening({ signal: AbortSignal.abort() });
    expect(await listener.redirect).toEqual(err(CANCELLED));
  });

  it('uses both addresses of localhost for that name, and no other', async () => {
    verifies('AUT-04');
    for (const address of ['127.0.0.1', '::1']) {
      await using listener = await listening({ host: 'localhost' });
      const { port, host } = new URL(listener.redirectUri);
      const path = '/callback?code=good&state=st4te';
      const send = (headers: Record<string, string>): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const asked = request({ host: address, port, path, headers, agent: false });
          asked.on('response', (response) => {
            response.resume();
            resolve(response.statusCode);
          });
          asked.on('error', reject).end();
        });
      expect(host).toBe(`localhost:${port}`);
      expect(await send({ host: `[::1]:${port}` })).toBe(403);
      expect(await send({ host: 'evil.example' })).toBe(403);
      expect(await send({ host })).toBe(200);
      expect(await listener.redirect).toEqual(
        ok(new URLSearchParams({ code: 'good', state: 'st4te' })),
      );
      expect(await isRefused(Number(port))).toBe(true);
    }
  });

  it('does not begin as localhost if another program has the port at ::1', async () => {
    const other = createServer();
    other.listen({ port: 0, host: '::1', ipv6Only: true });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    // The browser could send the redirect there.
    expect(await listenForRedirect({ port, host: 'localhost' })).toEqual(
      err({ kind: 'port-in-use', port }),
    );
    expect(await isRefused(port)).toBe(true);
    other.close();
    await once(other, 'close');
  });

  it('cannot begin on a port of another program', async () => {
    await using first = await listening();
    const port = Number(new URL(first.redirectUri).port);
    const second = await listenForRedirect({ port });
    const problem: ListenProblem = { kind: 'port-in-use', port };
    expect(second).toEqual(err(problem));
  });
});
