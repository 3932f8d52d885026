import { err, ok } from '@plugboard/base';
import {
  type AuthorizationServerOptions,
  type ProtectedServerMisbehaviour,
  resourceMetadataOf,
  startAuthorizationServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import type { AuthorizationProblem } from '../../src/protocol/index.ts';
import { followingBrowser, inBrowser, REDIRECT } from './following-browser.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';
import { guardedPair, MINE } from './guarded-pair.ts';

describe('a server that demands a sign-in', () => {
  it('is used with the token of a sign-in with PKCE, requested for that server', async () => {
    verifies('AUT-02', 'AUT-03');
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    await using host = await guardedHost({ url, browser: followingBrowser() });

    expect(await look(host)).toEqual(SEEN);

    const asked = issuer.requests.find(({ endpoint }) => endpoint === 'authorization')?.parameters;
    expect(asked).toEqual({
      response_type: 'code',
      client_id: issuer.clients[0]?.id,
      redirect_uri: REDIRECT,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      resource: url,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const exchange = issuer.requests.find(({ endpoint }) => endpoint === 'token')?.parameters;
    expect(exchange).toMatchObject({ grant_type: 'authorization_code', resource: url });
    expect(issuer.clients).toMatchObject([
      {
        applicationType: 'native',
        redirectUris: [REDIRECT],
        authentication: 'none',
        registeredBy: 'itself',
      },
    ]);
  });

  it('demands a sign-in if there is no browser, and names the issuer', async () => {
    verifies('AUT-05');
    await using guarded = await guardedPair();
    await using host = await guardedHost({ url: guarded.url });
    expect(await look(host)).toEqual({
      server: SERVER,
      tool: 'look',
      kind: 'needs-auth',
      url: guarded.url,
      reason: { kind: 'sign-in-needed', issuer: guarded.issuer.issuer },
    });
    expect(host.servers.map(({ state, next }) => [state.kind, next])).toEqual([
      ['needs-auth', 'sign-in'],
    ]);
  });

  it('is used once the user has signed in explicitly, and no longer after the sign-out', async () => {
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    await using host = await guardedHost({ url, credentials });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await host.login(SERVER, inBrowser(followingBrowser()))).toEqual({
      kind: 'signed-in',
      server: SERVER,
      issuer: issuer.issuer,
      account: 'default',
      scope: '',
    });
    expect(await look(host)).toEqual(SEEN);

    await using other = await guardedHost({ url, credentials });
    expect(await look(other)).toEqual(SEEN);
    expect(issuer.count({ endpoint: 'authorization' })).toBe(1);

    expect(await host.logout(SERVER)).toEqual({
      kind: 'signed-out',
      server: SERVER,
      wasSignedIn: true,
      revocation: { kind: 'revoked' },
    });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await credentials.credentials.list()).toEqual(ok([]));
  });

  it('allows no sign-in if the entry sets the header itself, and receives that header', async () => {
    await using guarded = await guardedPair();
    const browser = followingBrowser();
    const entry = { headers: { authorization: 'Bearer mine' } };
    await using host = await guardedHost({ url: guarded.url, browser, entry });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await host.login(SERVER, inBrowser(browser))).toEqual({
      kind: 'no-login',
      server: SERVER,
    });
    const shown = guarded.server.requests.map(({ headers }) => headers.authorization);
    expect(new Set(shown)).toEqual(new Set(['Bearer mine']));
    expect(browser.visited).toEqual([]);
  });

  it('uses the client that its entry names, and registers none', async () => {
    verifies('AUT-02');
    await using guarded = await guardedPair({ issuer: { clients: [MINE] } });
    const { issuer, server, url } = guarded;
    const entry = { oauth: { clientId: 'mine', scopes: ['read', 'write'] } };
    await using host = await guardedHost({ url, browser: followingBrowser(), entry });
    expect(await look(host)).toEqual(SEEN);
    expect(server.admitted[0]?.grant).toMatchObject({
      clientId: 'mine',
      scopes: ['read', 'write', 'offline_access'],
    });
    expect(issuer.count({ endpoint: 'registration' })).toBe(0);
  });

  it('accepts the program by its client document, if there is one', async () => {
    verifies('AUT-02');
    const clientMetadataUrl = 'https://program.example/client.json';
    const document = { client_id: clientMetadataUrl, redirect_uris: [REDIRECT] };
    await using guarded = await guardedPair({ issuer: { givenDocuments: [document] } });
    const { issuer, server, url } = guarded;
    const credentials = memoryCredentials();
    const authorization = { browser: followingBrowser(), credentials, clientMetadataUrl };
    await using host = await guardedHost({ url, host: { authorization } });
    expect(await look(host)).toEqual(SEEN);
    expect(server.admitted[0]?.grant.clientId).toBe(clientMetadataUrl);
    expect(issuer.count({ endpoint: 'registration' })).toBe(0);
  });
});

describe('discovery of the authorization server', () => {
  it.each([
    ['in its challenge, at a place of its own', { metadataAt: ['/about'] }],
    ['under its path, and the challenge says nothing', { metadataAt: ['path'], mute: true }],
    ['at the root, and the challenge says nothing', { metadataAt: ['root'], mute: true }],
  ] as const)('finds the metadata of the resource %s', async (_, { metadataAt, ...rest }) => {
    verifies('AUT-01');
    const misbehaviour = 'mute' in rest ? ({ resourceMetadata: 'absent' } as const) : {};
    await using guarded = await guardedPair({ server: { metadataAt, misbehaviour } });
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser() });
    expect(await look(host)).toEqual(SEEN);
  });

  it.each([
    ['as OAuth says', { discovery: ['oauth'] }],
    ['as OpenID Connect says', { discovery: ['oidc'] }],
    ['as OAuth says, for a tenant', { discovery: ['oauth'], issuerPath: '/tenant' }],
    ['before the path, for a tenant', { discovery: ['oidc'], issuerPath: '/tenant' }],
    ['behind the path, for a tenant', { discovery: ['oidc-appended'], issuerPath: '/tenant' }],
  ] as const)('finds the metadata of the issuer %s', async (_, options) => {
    verifies('AUT-01');
    await using guarded = await guardedPair({ issuer: options });
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser() });
    expect(await look(host)).toEqual(SEEN);
  });

  it('uses the metadata address of the entry', async () => {
    verifies('AUT-01');
    await using guarded = await guardedPair({
      issuer: { discovery: [], metadataPath: '/hidden' },
      server: {
        misbehaviour: { metadata: { authorization_servers: ['https://elsewhere.example'] } },
      },
    });
    const entry = { oauth: { authServerMetadataUrl: `${guarded.issuer.origin}/hidden` } };
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser(), entry });
    expect(await look(host)).toEqual(SEEN);
  });

  it('does not ask another origin about this one', async () => {
    verifies('AUT-11');
    await using elsewhere = await startAuthorizationServer();
    await using guarded = await guardedPair();
    const { server, url } = guarded;
    const document = resourceMetadataOf({
      resource: url,
      authorizationServers: [elsewhere.issuer],
    });
    const address = elsewhere.publish('/.well-known/oauth-protected-resource/mcp', document);
    server.misbehave({ resourceMetadata: { address } });
    await using host = await guardedHost({ url, browser: followingBrowser() });
    expect(await look(host)).toEqual(SEEN);
    expect(elsewhere.requests).toEqual([]);
  });
});

interface Wrong {
  readonly issuer?: AuthorizationServerOptions;
  readonly server?: ProtectedServerMisbehaviour;
  readonly kind: AuthorizationProblem['kind'];
  /** No page is opened for a token that would not be requested. */
  readonly visits: 0 | 1;
}

const changed = (misbehaviour: NonNullable<AuthorizationServerOptions['misbehaviour']>) => ({
  misbehaviour,
});
const page = (address: string) => changed({ metadata: { authorization_endpoint: address } });

describe('an invalid answer during a sign-in', () => {
  const cases: readonly (readonly [string, Wrong])[] = [
    [
      'PKCE that is not offered',
      { issuer: changed({ pkceAdvertised: 'absent' }), kind: 'no-pkce', visits: 0 },
    ],
    [
      'PKCE with another method',
      { issuer: changed({ pkceAdvertised: 'plain' }), kind: 'no-pkce', visits: 0 },
    ],
    [
      'another issuer',
      {
        issuer: changed({ metadata: { issuer: 'https://elsewhere.example' } }),
        kind: 'issuer-mismatch',
        visits: 0,
      },
    ],
    [
      'another resource',
      {
        server: { metadata: { resource: 'https://elsewhere.example/mcp' } },
        kind: 'resource-mismatch',
        visits: 0,
      },
    ],
    [
      'a redirect with another state',
      { issuer: changed({ state: 'wrong' }), kind: 'bad-redirect', visits: 1 },
    ],
    [
      'a redirect without a state',
      { issuer: changed({ state: 'missing' }), kind: 'bad-redirect', visits: 1 },
    ],
    [
      'a redirect of another issuer',
      {
        issuer: changed({ iss: { forged: 'https://elsewhere.example' } }),
        kind: 'issuer-mismatch',
        visits: 1,
      },
    ],
    [
      'a redirect of an issuer that is spelled another way',
      { issuer: changed({ iss: 'normalised' }), kind: 'issuer-mismatch', visits: 1 },
    ],
    [
      'a redirect without the issuer that was announced',
      { issuer: changed({ iss: 'missing' }), kind: 'issuer-mismatch', visits: 1 },
    ],
    [
      'a page that is a script',
      { issuer: page('javascript:alert(1)'), kind: 'bad-answer', visits: 0 },
    ],
    [
      'a page that is a file',
      { issuer: page('file:///etc/passwd'), kind: 'unsafe-address', visits: 0 },
    ],
    [
      'a page without TLS elsewhere',
      { issuer: page('http://10.0.0.1/'), kind: 'unsafe-address', visits: 0 },
    ],
    [
      'a token endpoint without TLS',
      {
        issuer: changed({ metadata: { token_endpoint: 'http://10.0.0.1/token' } }),
        kind: 'unsafe-address',
        visits: 0,
      },
    ],
    ['a person who declines', { issuer: { approval: 'denied' }, kind: 'denied', visits: 1 }],
    [
      'no way to get a client',
      { issuer: { registration: 'unsupported' }, kind: 'client-id-needed', visits: 0 },
    ],
  ];

  it.each(cases)('ends the sign-in: %s', async (_, { issuer = {}, server = {}, kind, visits }) => {
    verifies('AUT-01', 'AUT-03');
    await using guarded = await guardedPair({ issuer, server: { misbehaviour: server } });
    const browser = followingBrowser();
    await using host = await guardedHost({ url: guarded.url, browser });
    const outcome = await look(host);
    expect(outcome).toMatchObject({ kind: 'needs-auth', reason: { kind } });
    expect(guarded.issuer.count({ endpoint: 'token' })).toBe(0);
    expect(browser.visited.length).toBe(visits);
  });

  it('is a redirect that was already used', async () => {
    await using guarded = await guardedPair();
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

  it('leads to three attempts at most', async () => {
    verifies('AUT-05');
    await using guarded = await guardedPair({ issuer: changed({ state: 'wrong' }) });
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

describe('a call that needs more scopes', () => {
  it('is made after one more sign-in, which keeps the earlier scopes', async () => {
    verifies('AUT-03');
    await using guarded = await guardedPair({ server: { scopes: { tools: { look: ['write'] } } } });
    const entry = { oauth: { scopes: 'read' } };
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser(), entry });
    expect(await look(host)).toEqual(SEEN);
    const pages = guarded.issuer.requests.filter(({ endpoint }) => endpoint === 'authorization');
    expect(pages.map(({ parameters }) => parameters.scope)).toEqual([
      'read offline_access',
      'read offline_access write',
    ]);
  });

  it('is refused if no person can sign in, and the session stays', async () => {
    await using guarded = await guardedPair({ server: { scopes: { tools: { look: ['write'] } } } });
    const credentials = memoryCredentials();
    await using host = await guardedHost({ url: guarded.url, credentials });
    await host.login(SERVER, inBrowser(followingBrowser()));
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed' },
    });
    expect(host.servers[0]?.state.kind).toBe('ready');
  });
});

describe('the secrets of an entry', () => {
  it('must not be written in it', async () => {
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

  it('are filled in from the store, and sent to no other authorization server', async () => {
    await using guarded = await guardedPair();
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
    expect(guarded.issuer.count({ endpoint: 'token' })).toBe(0);
  });
});

it('a sign-in is given up if the person does not complete it', async () => {
  await using guarded = await guardedPair();
  const browser = { begin: () => Promise.resolve(err({ kind: 'no-browser' as const })) };
  await using host = await guardedHost({ url: guarded.url, browser });
  expect(await look(host)).toMatchObject({
    reason: { kind: 'not-signed-in', reason: 'no-browser' },
  });
});
