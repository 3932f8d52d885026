// Access to the console: each guard, with a request that would pass without it.

import { Scope } from '@plugboard/base';
import { ManualClock, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleState } from '../../src/console-api.ts';
import { type RawRequest, send } from '../attacks/raw-http.ts';
import {
  ADA,
  bearer,
  BOB,
  cookieOf,
  exchange,
  launchOf,
  MARKED,
  openConsole,
  openFeed,
  stateOf,
  TOKENS,
} from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe('the console', () => {
  verifies('CON-UI');

  it('requires a token or a cookie for everything', async () => {
    const { at, secret, url } = await openConsole(scope, { address: { tokens: TOKENS } });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await send(`${at}/api/state`, { method: 'GET', headers })).status;
    expect({
      none: await statusOf({}),
      wrong: await statusOf(bearer('token-of-nobody-here')),
      guessed: await statusOf({ Cookie: `plugboard-console-${new URL(at).port}=guessed` }),
      token: await statusOf(ADA),
      secret: await statusOf(bearer(secret)),
    }).toEqual({ none: 401, wrong: 401, guessed: 401, token: 200, secret: 200 });
    expect((await send(url, { headers: bearer(secret), body: '{}' })).status).toBe(401);
    for (const path of ['/api/events', '/api/none']) {
      expect((await send(`${at}${path}`, { method: 'GET' })).status).toBe(401);
    }
  });

  it('requires its own token even if the gateway requires none', async () => {
    const { at, launch } = await openConsole(scope);
    expect((await send(`${at}/api/state`, { method: 'GET' })).status).toBe(401);
    const state = await stateOf(at, await cookieOf(at, launch()));
    expect(state.gateway).toMatchObject({ principal: 'administrator', isAdministrator: true });
  });

  it('exchanges the token of an address only once, and only within five minutes', async () => {
    const clock = new ManualClock();
    const { at, launch } = await openConsole(scope, { clock });
    const launched = launch();
    const first = await exchange(at, launched);
    expect(first.status).toBe(200);
    expect((JSON.parse(first.text) as ConsoleState).gateway.isAdministrator).toBe(true);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^plugboard-console-${new URL(at).port}=[\\w-]{43}; Path=/console; HttpOnly; SameSite=Strict$`,
        ),
      ),
    ]);
    expect((await exchange(at, launched)).status).toBe(401);
    const late = launch();
    await clock.advance(5 * 60_000);
    expect((await exchange(at, late)).status).toBe(401);
    expect((await exchange(at, `${at}/#token=guessed`)).status).toBe(401);
  });

  it('ends the session of a browser after half a day without use', async () => {
    const clock = new ManualClock();
    const { at, launch } = await openConsole(scope, { clock });
    const cookie = await cookieOf(at, launch());
    await clock.advance(11 * 60 * 60_000);
    expect((await stateOf(at, cookie)).servers).toEqual([]);
    await clock.advance(12 * 60 * 60_000);
    expect((await send(`${at}/api/state`, { method: 'GET', headers: cookie })).status).toBe(401);
  });

  it('ends the session of a browser that signs out, and the feeds of its pages', async () => {
    const { at, launch } = await openConsole(scope);
    const cookie = await cookieOf(at, launch());
    const other = await cookieOf(at, launch());
    const [heard, others] = [await openFeed(at, cookie), await openFeed(at, other)];
    scope.defer(() => others.destroy());
    const unmarked = { headers: { ...cookie, 'Content-Type': 'application/json' }, body: '{}' };
    expect((await send(`${at}/session/end`, unmarked)).status).toBe(403);
    expect((await stateOf(at, cookie)).servers).toEqual([]);
    const left = await send(`${at}/session/end`, { headers: { ...cookie, ...MARKED }, body: '{}' });
    expect([left.status, left.headers['set-cookie']?.[0]]).toEqual([
      204,
      expect.stringMatching(/=; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=0$/),
    ]);
    expect((await send(`${at}/api/state`, { method: 'GET', headers: cookie })).status).toBe(401);
    await waitUntil(heard.isEnded, { describe: 'the end of what it hears' });
    expect((await stateOf(at, other)).servers).toEqual([]);
    expect(others.isEnded()).toBe(false);
  });

  it('gives an admitted reader an address that opens the page with the same rights', async () => {
    const { at } = await openConsole(scope, { address: { tokens: TOKENS } });
    const { url } = await launchOf(at, BOB);
    const state = await stateOf(at, await cookieOf(at, url));
    expect(state.gateway).toMatchObject({ principal: 'bob', isAdministrator: false });
    const unmarked = { headers: { ...BOB, 'Content-Type': 'application/json' }, body: '{}' };
    expect((await send(`${at}/api/launch`, unmarked)).status).toBe(403);
  });

  it('refuses tokens of clients if only administrators may read it', async () => {
    const { at, secret } = await openConsole(scope, {
      address: { tokens: TOKENS },
      console: { administrators: ['ada'], readers: 'administrators' },
    });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await send(`${at}/api/state`, { method: 'GET', headers })).status;
    expect([await statusOf(ADA), await statusOf(BOB), await statusOf(bearer(secret))]).toEqual([
      200, 401, 200,
    ]);
    const launch = { headers: { ...BOB, ...MARKED }, body: '{}' };
    expect((await send(`${at}/api/launch`, launch)).status).toBe(401);
  });

  it('keeps addresses and sessions of one principal, however many another one has', async () => {
    const { at, launch } = await openConsole(scope, { address: { tokens: TOKENS } });
    const cookie = await cookieOf(at, launch());
    const launched = launch();
    for (let times = 0; times < 101; times += 1) {
      const { url } = await launchOf(at, BOB);
      await exchange(at, url);
      await launchOf(at, BOB);
    }
    expect((await exchange(at, launched)).status).toBe(200);
    expect((await stateOf(at, cookie)).gateway.isAdministrator).toBe(true);
  });

  it('reports whether the reader is an administrator', async () => {
    const { at } = await openConsole(scope, {
      address: { tokens: TOKENS },
      console: { administrators: ['ada'] },
    });
    expect((await stateOf(at, ADA)).gateway).toMatchObject({ isAdministrator: true });
    expect((await stateOf(at, BOB)).gateway).toMatchObject({ isAdministrator: false });
  });

  it('refuses foreign names and origins on every path, also with a cookie', async () => {
    const origins = ['https://allowed.example'];
    const { at, launch } = await openConsole(scope, { address: { origins } });
    const cookie = await cookieOf(at, launch());
    const asked: readonly [string, RawRequest][] = [
      ['/', { method: 'GET' }],
      ['/api/state', { method: 'GET' }],
      ['/api/events', { method: 'GET' }],
      ['/api/launch', { body: '{}', headers: MARKED }],
      ['/session', { body: '{}', headers: MARKED }],
      ['/session/end', { body: '{}', headers: MARKED }],
    ];
    for (const [path, request] of asked) {
      for (const foreign of [
        { Host: 'evil.example' },
        { Origin: 'https://evil.example' },
        { Origin: 'http://127.0.0.1:3000' },
        { Origin: 'null' },
        // An origin that may call servers is not a page of the console.
        { Origin: 'https://allowed.example' },
      ]) {
        const headers = { ...request.headers, ...cookie, ...foreign };
        const { status } = await send(`${at}${path}`, { ...request, headers });
        expect({ path, foreign, status }).toEqual({ path, foreign, status: 403 });
      }
    }
  });

  it('refuses a page at another port of this machine, whose requests have the cookie', async () => {
    const { at, launch } = await openConsole(scope);
    const cookie = await cookieOf(at, launch());
    for (const site of ['same-site', 'cross-site']) {
      const headers = { ...cookie, 'Sec-Fetch-Site': site };
      const { status } = await send(`${at}/api/state`, { method: 'GET', headers });
      expect({ site, status }).toEqual({ site, status: 403 });
    }
    const own = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
    const { headers, status } = await send(`${at}/api/state`, { method: 'GET', headers: own });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('limits the body with the token of an address', async () => {
    const { at, launch } = await openConsole(scope);
    const body = JSON.stringify({ token: 'x'.repeat(5000) });
    expect((await send(`${at}/session`, { headers: MARKED, body })).status).toBe(413);
    expect(await cookieOf(at, launch())).toBeDefined();
  });

  it('opens from a link on another site', async () => {
    const { at } = await openConsole(scope);
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    expect((await send(`${at}/`, { method: 'GET', headers })).status).toBe(200);
  });

  it('refuses a POST that a form could send', async () => {
    const { at, launch } = await openConsole(scope);
    const cookie = await cookieOf(at, launch());
    const post = async (headers: Record<string, string>): Promise<number> =>
      (await send(`${at}/api/launch`, { headers: { ...cookie, ...headers }, body: '{}' })).status;
    expect(await post({ 'Content-Type': 'application/x-www-form-urlencoded' })).toBe(403);
    expect(await post({ 'Content-Type': 'application/json' })).toBe(403);
    expect(await post({ 'X-Plugboard-Console': '1', 'Content-Type': 'text/plain' })).toBe(415);
    expect(await post(MARKED)).toBe(200);
    expect((await send(`${at}/api/launch`, { method: 'GET', headers: cookie })).status).toBe(404);
    const put = await send(`${at}/api/state`, { method: 'PUT', headers: { ...cookie, ...MARKED } });
    expect(put.status).toBe(405);
    const broken = { headers: { ...cookie, ...MARKED }, body: '{' };
    expect((await send(`${at}/api/launch`, broken)).status).toBe(400);
    const large = { headers: { ...cookie, ...MARKED }, body: `"${'x'.repeat(1024 * 1024)}"` };
    expect((await send(`${at}/api/launch`, large)).status).toBe(413);
  });
});

describe("the console's page", () => {
  verifies('CON-UI');

  it('is served with a strict policy, and browsers may cache files named by a hash', async () => {
    const folder = scope.use(await tempFolder());
    await folder.mkdir('page/assets');
    await folder.write('page/index.html', '<!doctype html>');
    await folder.write('page/assets/index-Ab3dE_9x.js', 'export {};');
    await folder.write('page/assets/icon.svg', '<svg/>');
    await folder.write('page/notes.map', '{}');
    await folder.write('secret.txt', 'secret');
    const { at } = await openConsole(scope, { console: { page: `${folder.path}/page` } });
    const get = (path: string): ReturnType<typeof send> => send(`${at}${path}`, { method: 'GET' });
    const index = await get('/');
    expect({ status: index.status, text: index.text }).toEqual({
      status: 200,
      text: '<!doctype html>',
    });
    const policy = String(index.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(index.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const script = await get('/assets/index-Ab3dE_9x.js');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('/assets/icon.svg')).headers['cache-control']).toBe('no-cache');
    const bare = await get('?token=x');
    expect(bare).toMatchObject({ status: 308, headers: { location: '/console/?token=x' } });
  });

  it('consists only of the files in its folder', async () => {
    const folder = scope.use(await tempFolder());
    await folder.mkdir('page');
    await folder.write('page/index.html', '<!doctype html>');
    await folder.write('page/notes.map', '{}');
    await folder.write('secret.txt', 'secret');
    const { at } = await openConsole(scope, { console: { page: `${folder.path}/page` } });
    const { origin } = new URL(at);
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/..\\secret.txt',
      '//etc/passwd',
      '/notes.map',
      '/constructor',
      '/__proto__',
    ]) {
      const { status, text } = await sendPath(origin, `/console${path}`);
      expect({ path, status, leaked: text.includes('secret') && status === 200 }).toEqual({
        path,
        status: 404,
        leaked: false,
      });
    }
  });

  it('is replaced by an explanation if it is not installed', async () => {
    const { at } = await openConsole(scope);
    const { status, text, headers } = await send(`${at}/`, { method: 'GET' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain('@plugboard/console');
  });
});

/** Requests a path literally, since `URL` would normalise it. */
async function sendPath(
  origin: string,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { sendBytes } = await import('../attacks/raw-http.ts');
  const { host } = new URL(origin);
  const text = await sendBytes(
    origin,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}
