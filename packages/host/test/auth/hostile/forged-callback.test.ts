import { request } from 'node:http';
import { ok, Scope } from '@plugboard/base';
import { GRANT_TYPES, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { loopbackBrowser, pastedRedirect } from '../../../src/auth/index.ts';
import { type HostileScene, hostileScene, notSignedIn, recordingBrowser } from './scene.ts';

interface ShownPage {
  readonly status: number;
  readonly page: string;
}

/** One request to the callback; `fetch` would not send such headers. */
function knock(
  url: URL,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<ShownPage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      let page = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (page += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, page }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Signs in; before the honest redirect arrives, an attacker does this to the callback. */
async function signInAround(
  { login, issuer }: HostileScene,
  attack: (honest: URL, page: URL) => Promise<void>,
) {
  const shown: ShownPage[] = [];
  const show = async (page: URL) => {
    const honest = new URL(await issuer.browse(page.href));
    await attack(honest, page);
    shown.push(await knock(honest));
    return ok(undefined);
  };
  return { outcome: await login(loopbackBrowser({ show })), shown };
}

function changed(url: URL, fields: Readonly<Record<string, string | undefined>>): URL {
  const other = new URL(url);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  }
  return other;
}

describe('a forged redirect', () => {
  verifies('AUT-03', 'AUT-04');

  it.each<readonly [string, (honest: URL) => Promise<ShownPage>, number]>([
    ['without a state', (url) => knock(changed(url, { state: undefined })), 403],
    ['with another state', (url) => knock(changed(url, { state: 'guessed' })), 403],
    ['with an empty state', (url) => knock(changed(url, { state: '' })), 403],
    [
      'with an error in place of a code',
      (url) => knock(changed(url, { code: undefined, error: 'access_denied', state: 'x' })),
      403,
    ],
    ['to a foreign host', (url) => knock(url, { headers: { host: 'evil.example' } }), 403],
    ['to another name', (url) => knock(url, { headers: { host: `localhost:${url.port}` } }), 403],
    ['by a page', (url) => knock(url, { headers: { origin: 'https://evil.example' } }), 403],
    ['by an image', (url) => knock(url, { headers: { 'sec-fetch-dest': 'image' } }), 403],
    ['by a form', (url) => knock(url, { method: 'POST' }), 405],
    ['to another path', (url) => knock(new URL(`/other${url.search}`, url)), 404],
  ])('is rejected without harm: %s', async (_, attack, status) => {
    await using scope = new Scope();
    const scene = await hostileScene(scope);
    const statuses: number[] = [];
    const { outcome, shown } = await signInAround(scene, async (honest) => {
      statuses.push((await attack(honest)).status);
    });
    expect(statuses).toEqual([status]);
    expect(outcome.kind).toBe('signed-in');
    expect(shown.map((each) => each.status)).toEqual([200]);
    expect(scene.issuer.count({ endpoint: 'token' })).toBe(1);
  });

  it.each([
    ['without a state', (redirect: URL) => redirect.searchParams.delete('state')],
    ['with another state', (redirect: URL) => redirect.searchParams.set('state', 'guessed')],
  ])('is rejected also when it is pasted: %s', async (_, change) => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope);
    let page: URL | undefined;
    const browser = pastedRedirect({
      show: (url) => void (page = url),
      ask: async () => {
        const redirect = new URL(await issuer.browse(page?.href ?? ''));
        change(redirect);
        return redirect.href;
      },
    });
    expect(await login(browser)).toEqual(notSignedIn({ kind: 'bad-redirect', reason: 'state' }));
    expect(issuer.count({ endpoint: 'token' })).toBe(0);
  });

  it('shows nothing of the code, the state or a token', async () => {
    await using scope = new Scope();
    const scene = await hostileScene(scope);
    const { shown } = await signInAround(scene, async () => {});
    const pages = shown.map(({ page }) => page).join('');
    expect(pages).toContain('You can close this tab');
    for (const secret of scene.issuer.everySecret()) expect(pages).not.toContain(secret);
    expect(pages).not.toMatch(/state|code=/);
  });
});

describe('a redirect of another sign-in', () => {
  verifies('AUT-03', 'AUT-04');

  it('is rejected, although an attacker began it at the same authorization server', async () => {
    await using scope = new Scope();
    const scene = await hostileScene(scope);
    const { issuer } = scene;
    const statuses: number[] = [];
    const { outcome } = await signInAround(scene, async (_, page) => {
      issuer.signIn('mallory');
      const theirs = changed(page, { state: 'of-mallory', code_challenge: 'x'.repeat(43) });
      const captured = new URL(await issuer.browse(theirs.href));
      statuses.push((await knock(captured)).status);
      issuer.signIn('alice');
    });
    expect(statuses).toEqual([403]);
    expect(outcome.kind).toBe('signed-in');
    expect((await scene.look()).kind).toBe('result');
    expect(new Set(scene.server.admitted.map(({ grant }) => grant.subject))).toEqual(
      new Set(['alice']),
    );
  });

  it('is rejected with the right state as well: its code belongs to another request', async () => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope);
    let code = '';
    const browser = recordingBrowser((redirect) => redirect.searchParams.set('code', code));
    const eavesdropping = recordingBrowser((redirect) => {
      code = redirect.searchParams.get('code') ?? '';
      redirect.searchParams.set('state', 'never mind');
    });
    expect((await login(eavesdropping)).kind).toBe('not-signed-in');
    expect(await login(browser)).toEqual(
      notSignedIn({ kind: 'denied', issuer: issuer.issuer, error: 'invalid_grant' }),
    );
    expect(issuer.accessTokens).toEqual([]);
  });

  it('is accepted once, if it is that of the sign-in before', async () => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope);
    let last: URL | undefined;
    const browser = recordingBrowser((redirect) => {
      if (last === undefined) last = new URL(redirect);
      else redirect.search = last.search;
    });
    expect((await login(browser)).kind).toBe('signed-in');
    expect(await login(browser)).toEqual(notSignedIn({ kind: 'bad-redirect', reason: 'state' }));
    const grantType = GRANT_TYPES.authorizationCode;
    expect(issuer.count({ endpoint: 'token', grantType })).toBe(1);
  });

  it('reaches no listener once the sign-in is over, whichever program listens next', async () => {
    await using scope = new Scope();
    const scene = await hostileScene(scope);
    let first: URL | undefined;
    await signInAround(scene, async (honest) => void (first = honest));
    if (first === undefined) throw new Error('nobody came back');
    await expect(knock(first)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const statuses: number[] = [];
    const { outcome } = await signInAround(scene, async (honest) => {
      expect(honest.port).toBe(first?.port);
      statuses.push((await knock(first ?? honest)).status);
    });
    expect(statuses).toEqual([403]);
    expect(outcome.kind).toBe('signed-in');
  });
});
