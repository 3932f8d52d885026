import { err, ok } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import type { AuthorizationProblem } from '../../src/protocol/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { guardedHost, look, SERVER } from './guarded-host.ts';
import { type Misbehaviour, startGuarded } from './guarded-server.ts';

const SEEN = {
  server: SERVER,
  tool: 'look',
  kind: 'result',
  parts: [{ kind: 'text', text: 'seen' }],
};

describe('a server that wants somebody to sign in', () => {
  it('is used with the token that signing in gives, asked for with PKCE and for that server', async () => {
    verifies('AUT-02', 'AUT-03');
    await using guarded = await startGuarded();
    const browser = followingBrowser();
    await using host = await guardedHost({ url: guarded.url, browser });

    expect(await look(host)).toEqual(SEEN);

    const [asked] = guarded.authorizations;
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(asked?.get('resource')).toBe(guarded.url);
    expect(asked?.has('scope')).toBe(false);
    expect(asked?.get('state')).toMatch(/^[\w-]{43}$/);
    const [exchange] = guarded.tokenRequests;
    expect(exchange?.get('resource')).toBe(guarded.url);
    expect(guarded.registrations).toEqual([
      expect.objectContaining({
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1:28437/callback'],
        token_endpoint_auth_method: 'none',
      }),
    ]);
  });

  it('needs somebody to sign in where there is no browser, and says at whom', async () => {
    verifies('AUT-05');
    await using guarded = await startGuarded();
    await using host = await guardedHost({ url: guarded.url });
    expect(await look(host)).toEqual({
      server: SERVER,
      tool: 'look',
      kind: 'needs-auth',
      url: guarded.url,
      reason: { kind: 'sign-in-needed', issuer: guarded.issuer },
    });
    expect(host.servers.map(({ state, next }) => [state.kind, next])).toEqual([
      ['needs-auth', 'sign-in'],
    ]);
  });

  it('is used once somebody has signed in by their own will, and no longer when they sign out', async () => {
    verifies('AUT-12');
    await using guarded = await startGuarded();
    const credentials = memoryCredentials();
    await using host = await guardedHost({ url: guarded.url, credentials });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await host.login(SERVER, inBrowser(followingBrowser()))).toEqual({
      kind: 'signed-in',
      server: SERVER,
      issuer: guarded.issuer,
      account: 'default',
    });
    expect(await look(host)).toEqual(SEEN);

    await using other = await guardedHost({ url: guarded.url, credentials });
    expect(await look(other)).toEqual(SEEN);
    expect(guarded.authorizations.length).toBe(1);

    expect(await host.logout(SERVER)).toEqual({
      kind: 'signed-out',
      server: SERVER,
      wasSignedIn: true,
      revocation: { kind: 'not-offered' },
    });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await credentials.credentials.list()).toEqual(ok([]));
  });

  it('says that nobody can sign in where the entry gives the header itself, and sends that alone', async () => {
    await using guarded = await startGuarded();
    const browser = followingBrowser();
    const entry = { headers: { authorization: 'Bearer mine' } };
    await using host = await guardedHost({ url: guarded.url, browser, entry });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await host.login(SERVER, inBrowser(browser))).toEqual({
      kind: 'no-login',
      server: SERVER,
    });
    expect(new Set(guarded.presented)).toEqual(new Set(['Bearer mine']));
    expect(browser.visited).toEqual([]);
  });

  it('uses the client that its entry names, and registers none', async () => {
    verifies('AUT-02');
    await using guarded = await startGuarded();
    const entry = { oauth: { clientId: 'mine', scopes: ['read', 'write'] } };
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser(), entry });
    expect(await look(host)).toEqual(SEEN);
    expect(guarded.authorizations[0]?.get('client_id')).toBe('mine');
    expect(guarded.authorizations[0]?.get('scope')).toBe('read write');
    expect(guarded.registrations).toEqual([]);
  });
});

describe('what is not what it should be', () => {
  const cases: readonly (readonly [string, Misbehaviour, AuthorizationProblem['kind']])[] = [
    [
      'PKCE that is not offered',
      { metadata: { code_challenge_methods_supported: undefined } },
      'no-pkce',
    ],
    [
      'PKCE with another method',
      { metadata: { code_challenge_methods_supported: ['plain'] } },
      'no-pkce',
    ],
    ['another issuer', { metadata: { issuer: 'https://elsewhere.example' } }, 'issuer-mismatch'],
    [
      'another resource',
      { resourceMetadata: { resource: 'https://elsewhere.example/mcp' } },
      'resource-mismatch',
    ],
    ['a redirect with another state', { redirect: { state: 'other' } }, 'bad-redirect'],
    [
      'a redirect of another issuer',
      { redirect: { iss: 'https://elsewhere.example' } },
      'issuer-mismatch',
    ],
    [
      'a redirect without the issuer that was announced',
      { metadata: { authorization_response_iss_parameter_supported: true } },
      'issuer-mismatch',
    ],
    [
      'a page that is a script',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      'bad-answer',
    ],
    [
      'a page that is a file',
      { metadata: { authorization_endpoint: 'file:///etc/passwd' } },
      'unsafe-address',
    ],
    [
      'a page without TLS elsewhere',
      { metadata: { authorization_endpoint: 'http://10.0.0.1/' } },
      'unsafe-address',
    ],
    [
      'a token endpoint without TLS',
      { metadata: { token_endpoint: 'http://10.0.0.1/token' } },
      'unsafe-address',
    ],
    ['somebody who says no', { redirect: { error: 'access_denied' } }, 'denied'],
    [
      'no way to get a client',
      { metadata: { registration_endpoint: undefined } },
      'client-id-needed',
    ],
  ];

  it.each(cases)('ends the sign-in: %s', async (_, misbehaviour, kind) => {
    verifies('AUT-01', 'AUT-03');
    await using guarded = await startGuarded(misbehaviour);
    const browser = followingBrowser();
    const announced = 'authorization_response_iss_parameter_supported';
    const isSilent = misbehaviour.metadata !== undefined && announced in misbehaviour.metadata;
    await using host = await guardedHost({ url: guarded.url, browser });
    const outcome = await look(host);
    expect(outcome).toMatchObject({ kind: 'needs-auth', reason: { kind } });
    expect(guarded.counts['authorization_code'] ?? 0).toBe(0);
    // Nobody is sent anywhere for a token that would not be asked for.
    expect(browser.visited.length).toBe('redirect' in misbehaviour || isSilent ? 1 : 0);
  });

  it('does not ask another origin who speaks for this one', async () => {
    verifies('AUT-11');
    await using elsewhere = await startGuarded();
    await using guarded = await startGuarded({
      challenge: `${elsewhere.issuer}/.well-known/oauth-protected-resource/mcp`,
    });
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser() });
    expect(await look(host)).toEqual(SEEN);
    expect(elsewhere.counts).toEqual({});
  });

  it('takes a redirect only once', async () => {
    await using guarded = await startGuarded();
    let last: URL | undefined;
    const browser = followingBrowser((redirect) => {
      if (last === undefined) last = new URL(redirect);
      else redirect.search = last.search;
    });
    await using host = await guardedHost({ url: guarded.url });
    expect((await host.login(SERVER, inBrowser(browser))).kind).toBe('signed-in');
    expect(await host.login(SERVER, inBrowser(browser))).toEqual({
      kind: 'not-signed-in',
      server: SERVER,
      problem: { kind: 'bad-redirect', reason: 'state' },
    });
  });

  it('is not asked about in a loop', async () => {
    verifies('AUT-05');
    await using guarded = await startGuarded({ redirect: { state: 'other' } });
    const browser = followingBrowser();
    await using host = await guardedHost({ url: guarded.url, browser });
    const reasons: unknown[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      const outcome = await look(host);
      reasons.push(outcome.kind === 'needs-auth' ? outcome.reason?.kind : outcome.kind);
    }
    const [bad, often] = ['bad-redirect', 'asked-too-often'];
    expect(reasons).toEqual([bad, bad, bad, often, often]);
    expect(browser.visited.length).toBe(3);
  });
});

describe('a call that needs more', () => {
  it('is made after one more sign-in, for what was asked for before as well', async () => {
    verifies('AUT-03');
    await using guarded = await startGuarded({ callScope: 'write' });
    const entry = { oauth: { scopes: 'read' } };
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser(), entry });
    expect(await look(host)).toEqual(SEEN);
    expect(guarded.authorizations.map((asked) => asked.get('scope'))).toEqual([
      'read',
      'read write',
    ]);
  });

  it('is refused where nobody can be asked, and the session stays', async () => {
    await using guarded = await startGuarded();
    const credentials = memoryCredentials();
    await using host = await guardedHost({ url: guarded.url, credentials });
    await host.login(SERVER, inBrowser(followingBrowser()));
    guarded.behave({ callScope: 'write' });
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed' },
    });
    expect(host.servers[0]?.state.kind).toBe('ready');
  });
});

describe('the secrets of an entry', () => {
  it('must not stand in it', async () => {
    verifies('AUT-10');
    const entry = { oauth: { clientId: 'mine', clientSecret: 'open' } };
    await using host = await guardedHost({ url: 'http://127.0.0.1:9/mcp', entry });
    expect(await look(host)).toMatchObject({
      kind: 'not-connected',
      reason: {
        kind: 'unresolved',
        problems: [{ message: '"oauth.clientSecret" must be written as ${secret:NAME}.' }],
      },
    });
  });

  it('are filled in from the store, and shown to no other authorization server', async () => {
    verifies('AUT-07');
    await using guarded = await startGuarded();
    const entry = {
      oauth: {
        grant: 'client_credentials',
        clientId: 'machine',
        clientSecret: '${secret:MACHINE}',
        issuer: 'https://elsewhere.example',
      },
    };
    const secrets = { get: () => Promise.resolve(ok('hush')) };
    await using host = await guardedHost({ url: guarded.url, entry, host: { secrets } });
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'issuer-mismatch', where: 'client' },
    });
    expect(guarded.tokenRequests).toEqual([]);
  });
});

it('gives up where whoever was asked did not sign in', async () => {
  await using guarded = await startGuarded();
  const browser = { begin: () => Promise.resolve(err({ kind: 'no-browser' as const })) };
  await using host = await guardedHost({ url: guarded.url, browser });
  expect(await look(host)).toMatchObject({
    reason: { kind: 'not-signed-in', reason: 'no-browser' },
  });
});
