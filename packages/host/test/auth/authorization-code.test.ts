import { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  GRANT_TYPES,
  type Misbehaviour,
  type ProtectedServer,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import type { AuthorizationProblem, Browser, Host } from '../../src/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { echo, oneUser } from './one-user.ts';

/** Without offline access, which would be requested with any other scope. */
const SCOPES = ['read', 'write', 'admin'];

interface Stage {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  host(browser?: Browser): Promise<Host>;
  authorizations(): readonly Readonly<Record<string, string | undefined>>[];
}

async function stage(
  scope: Scope,
  {
    server: options,
    ...others
  }: AuthorizationServerOptions & { readonly server?: Omit<ProtectedServerOptions, 'issuer'> } = {},
): Promise<Stage> {
  const issuer = scope.use(await startAuthorizationServer({ scopesSupported: SCOPES, ...others }));
  const server = scope.use(await startProtectedServer({ issuer, ...options }));
  const user = await oneUser(scope);
  return {
    ...{ issuer, server },
    host(browser) {
      const authorization = {
        credentials: memoryCredentials(),
        ...(browser === undefined ? {} : { browser }),
      };
      return user.run({ notes: { url: server.url } }, { authorization });
    },
    authorizations: () =>
      issuer.requests
        .filter(({ endpoint }) => endpoint === 'authorization')
        .map(({ parameters }) => parameters),
  };
}

async function problemWith(at: Stage): Promise<AuthorizationProblem | undefined> {
  const outcome = await (await at.host()).login('notes', inBrowser(followingBrowser()));
  return outcome.kind === 'not-signed-in' ? outcome.problem : undefined;
}

describe('a sign-in by authorization code', () => {
  verifies('AUT-03');

  it('names the resource in every request, also when it renews', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { resourceIndicator: 'required' });
    const host = await at.host();
    expect((await host.login('notes', inBrowser(followingBrowser()))).kind).toBe('signed-in');
    at.issuer.revokeAccessTokens();
    expect((await echo(host, 'notes')).kind).toBe('result');
    const named = at.issuer.requests
      .filter(({ endpoint }) => endpoint === 'authorization' || endpoint === 'token')
      .map(({ endpoint, parameters }) => [
        endpoint === 'token' ? parameters.grant_type : endpoint,
        parameters.resource,
      ]);
    expect(named).toEqual([
      ['authorization', at.server.url],
      [GRANT_TYPES.authorizationCode, at.server.url],
      [GRANT_TYPES.refreshToken, at.server.url],
    ]);
  });

  it('uses a challenge by S256 and a state, new ones each time', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.host();
    for (let times = 0; times < 2; times += 1) {
      await host.login('notes', inBrowser(followingBrowser()));
    }
    const [first, second] = at.authorizations();
    expect([first, second].map((asked) => asked?.['code_challenge_method'])).toEqual([
      'S256',
      'S256',
    ]);
    expect(first?.['state']).toMatch(/^[\w-]{43}$/);
    expect(first?.['code_challenge']).toMatch(/^[\w-]{43}$/);
    expect(second?.['state']).not.toBe(first?.['state']);
    expect(second?.['code_challenge']).not.toBe(first?.['code_challenge']);
  });

  const wrong: readonly {
    readonly name: string;
    readonly misbehaviour: Misbehaviour;
    readonly kind: AuthorizationProblem['kind'];
    readonly visits: number;
  }[] = [
    { name: 'no PKCE', misbehaviour: { pkceAdvertised: 'absent' }, kind: 'no-pkce', visits: 0 },
    { name: 'only plain', misbehaviour: { pkceAdvertised: 'plain' }, kind: 'no-pkce', visits: 0 },
    { name: 'no state', misbehaviour: { state: 'missing' }, kind: 'bad-redirect', visits: 1 },
    { name: 'another state', misbehaviour: { state: 'wrong' }, kind: 'bad-redirect', visits: 1 },
    { name: 'no iss', misbehaviour: { iss: 'missing' }, kind: 'issuer-mismatch', visits: 1 },
    {
      name: 'an iss that is equal only after normalising',
      misbehaviour: { iss: 'normalised' },
      kind: 'issuer-mismatch',
      visits: 1,
    },
    {
      name: 'the iss of somebody else',
      misbehaviour: { iss: { forged: 'https://elsewhere.example' } },
      kind: 'issuer-mismatch',
      visits: 1,
    },
    {
      name: 'an error, with the iss of somebody else',
      misbehaviour: {
        iss: { forged: 'https://elsewhere.example' },
        authorizationError: { error: 'access_denied', description: 'call this number' },
      },
      kind: 'issuer-mismatch',
      visits: 1,
    },
  ];

  it.each(wrong)('redeems no code if there is $name', async (each) => {
    await using scope = new Scope();
    const at = await stage(scope);
    at.issuer.misbehave(each.misbehaviour);
    const problem = await problemWith(at);
    expect(problem?.kind).toBe(each.kind);
    expect(JSON.stringify(problem)).not.toContain('call this number');
    expect(at.authorizations().length).toBe(each.visits);
    expect(at.issuer.count({ endpoint: 'token' })).toBe(0);
  });
});

describe('the requested scope of a sign-in', () => {
  verifies('AUT-03');

  const scopesAsked = (at: Stage) => at.authorizations().map(({ scope }) => scope);

  it('is that of the challenge, also if the metadata names others', async () => {
    await using scope = new Scope();
    const server = { scopes: { always: ['read'] }, scopesSupported: ['read', 'write', 'admin'] };
    const at = await stage(scope, { server });
    expect(await problemWith(at)).toBe(undefined);
    expect(scopesAsked(at)).toEqual(['read']);
  });

  it('is that of the metadata if the challenge names none', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { server: { scopesSupported: ['read', 'write'] } });
    expect(await problemWith(at)).toBe(undefined);
    expect(scopesAsked(at)).toEqual(['read write']);
  });

  it('is empty if neither names any', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    expect(await problemWith(at)).toBe(undefined);
    expect(scopesAsked(at)).toEqual([undefined]);
  });

  it('grows by what a call needs, and keeps the previous scopes', async () => {
    await using scope = new Scope();
    const scopes = { always: ['read'], tools: { echo: ['write'] } };
    const at = await stage(scope, { server: { scopes } });
    const host = await at.host(followingBrowser());
    expect((await echo(host, 'notes')).kind).toBe('result');
    expect(scopesAsked(at)).toEqual(['read', 'read write']);
  });

  it('grows three times at most for a server that always demands more', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { server: { scopes: { always: ['read'] } } });
    const host = await at.host(followingBrowser());
    expect((await echo(host, 'notes')).kind).toBe('result');
    at.server.misbehave({ refusesAll: 'insufficient-scope' });
    for (let times = 0; times < 4; times += 1) {
      expect((await echo(host, 'notes')).kind).toBe('needs-auth');
    }
    expect(at.authorizations().length).toBeLessThanOrEqual(3);
  });
});
