import { request } from 'node:http';
import { err, never, ok } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Browser, BrowserVisit } from '../../src/auth/index.ts';
import { loopbackBrowser, pastedRedirect } from '../../src/auth/index.ts';

const ANY = { port: undefined, known: undefined };
const PAGE = new URL('https://as.example/authorize?state=right');

async function begun(browser: Browser, wish: Parameters<Browser['begin']>[0] = ANY) {
  const visit = await browser.begin(wish);
  if (!visit.ok) throw new Error(`could not begin: ${visit.error.kind}`);
  return visit.value;
}

const shown = () => Promise.resolve(ok(undefined));

function get(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

function opening(visit: BrowserVisit, signal: AbortSignal = never) {
  return visit.open(PAGE, signal);
}

describe('the callback of a sign-in', () => {
  it('listens on this machine only, accepts the redirect once, and shows nothing of it', async () => {
    verifies('AUT-04');
    await using visit = await begun(loopbackBrowser({ show: shown }));
    expect(visit.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const returned = opening(visit);
    const redirect = `${visit.redirectUrl}?state=right&code=secret-code`;
    const first = await get(redirect);
    expect(first.status).toBe(200);
    expect(first.body).toContain('<h1>Sign-in received</h1>');
    expect(first.body).not.toContain('secret-code');
    expect(await returned).toEqual(ok(new URL(redirect)));
    await expect(get(redirect)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('refuses every other request and keeps waiting', async () => {
    verifies('AUT-04');
    await using visit = await begun(loopbackBrowser({ show: shown }));
    const returned = opening(visit);
    const right = `${visit.redirectUrl}?state=right&code=1`;
    expect((await get(right, { host: 'evil.example' })).status).toBe(403);
    expect((await get(right, { host: 'localhost' })).status).toBe(403);
    expect((await get(`${visit.redirectUrl}?state=wrong&code=1`)).status).toBe(403);
    expect((await get(`${visit.redirectUrl}?code=1`)).status).toBe(403);
    expect((await get(`${visit.redirectUrl}?state=right`)).status).toBe(400);
    expect((await get(right, {}, 'POST')).status).toBe(405);
    expect((await get(right.replace('/callback', '/other'))).status).toBe(404);
    expect((await get(right)).status).toBe(200);
    expect(await returned).toEqual(ok(new URL(right)));
  });

  it('accepts nothing before the page is opened, nor after a page without a way back', async () => {
    verifies('AUT-04');
    await using visit = await begun(loopbackBrowser({ show: shown }));
    expect((await get(`${visit.redirectUrl}?code=1`)).status).toBe(403);
    expect((await get(`${visit.redirectUrl}?state=&code=1`)).status).toBe(403);
    const stateless = new URL('https://as.example/authorize');
    expect(await visit.open(stateless, never)).toEqual(err({ kind: 'cancelled' }));
  });

  it('does not wait for the program that shows the page', async () => {
    const slow = () => new Promise<never>(() => {});
    await using visit = await begun(loopbackBrowser({ show: slow }));
    const returned = opening(visit);
    const redirect = `${visit.redirectUrl}?state=right&error=access_denied`;
    expect((await get(redirect)).body).toContain('not completed');
    expect(await returned).toEqual(ok(new URL(redirect)));
  });

  it('waits for the stated time and no longer', async () => {
    const clock = new ManualClock();
    await using visit = await begun(loopbackBrowser({ show: shown, timeoutMs: 1000, clock }));
    const returned = opening(visit);
    await clock.advance(1000);
    expect(await returned).toEqual(err({ kind: 'timeout' }));
  });

  it('ends when it is aborted, or the page cannot be shown', async () => {
    const stop = new AbortController();
    await using visit = await begun(loopbackBrowser({ show: shown }));
    const returned = opening(visit, stop.signal);
    stop.abort();
    expect(await returned).toEqual(err({ kind: 'cancelled' }));
    const blind = () => Promise.resolve(err({ kind: 'no-browser' as const }));
    await using other = await begun(loopbackBrowser({ show: blind }));
    expect(await opening(other)).toEqual(err({ kind: 'no-browser' }));
  });

  it('uses the required port, or fails; prefers the last port, or takes any', async () => {
    const browser = loopbackBrowser({ show: shown });
    await using first = await begun(browser);
    const port = Number(new URL(first.redirectUrl).port);
    expect(await browser.begin({ port, known: undefined })).toEqual(err({ kind: 'no-browser' }));
    await using second = await begun(browser, { port: undefined, known: first.redirectUrl });
    expect(second.redirectUrl).not.toBe(first.redirectUrl);
    await first[Symbol.asyncDispose]();
    await using third = await begun(browser, { port: undefined, known: first.redirectUrl });
    expect(third.redirectUrl).toBe(first.redirectUrl);
  });
});

describe('a pasted redirect', () => {
  it('is the address that the browser was sent back to', async () => {
    verifies('AUT-04');
    const pages: string[] = [];
    const ask = () => Promise.resolve(' http://127.0.0.1:28437/callback?code=1&state=right\n');
    await using visit = await begun(
      pastedRedirect({ show: (url) => void pages.push(url.href), ask }),
    );
    expect(visit.redirectUrl).toBe('http://127.0.0.1:28437/callback');
    expect(await opening(visit)).toEqual(ok(new URL(`${visit.redirectUrl}?code=1&state=right`)));
    expect(pages).toEqual([PAGE.href]);
  });

  it('is abandoned by any other input', async () => {
    const ask = () => Promise.resolve(undefined);
    await using visit = await begun(pastedRedirect({ show: () => {}, ask }));
    expect(await opening(visit)).toEqual(err({ kind: 'cancelled' }));
  });
});

describe('the browser of the system', () => {
  it.each([
    ['true', { ok: true }],
    ['false', err({ kind: 'no-browser' })],
    ['none', err({ kind: 'no-browser' })],
  ])(
    'shows the page if the program has no browser of its own: BROWSER=%s',
    async (name, expected) => {
      using _chosen = browserOfPerson(name);
      await using visit = await begun(loopbackBrowser());
      const returned = opening(visit);
      if (name === 'true') await get(`${visit.redirectUrl}?state=right&code=1`);
      expect(await returned).toMatchObject(expected);
    },
  );
});

function browserOfPerson(name: string): Disposable {
  const before = process.env['BROWSER'];
  process.env['BROWSER'] = name;
  return {
    [Symbol.dispose]() {
      if (before === undefined) delete process.env['BROWSER'];
      else process.env['BROWSER'] = before;
    },
  };
}
