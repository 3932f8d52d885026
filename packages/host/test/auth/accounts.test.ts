import { ok, Scope, systemClock } from '@plugboard/base';
import {
  type AuthorizationServer,
  ManualClock,
  type ProtectedServer,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { vaultCredentials } from '../../src/auth/index.ts';
import type { Host } from '../../src/index.ts';
import { secretStore } from '../../src/vault/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { echo, environmentIn, oneUser, type OneUser } from './one-user.ts';
import { PacedClock } from './paced-clock.ts';

interface Stage {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly clock: ManualClock;
  readonly user: OneUser;
  /** The accounts whose tokens the server accepted for a call to one entry. */
  subjectsOf(host: Host, entry: string): Promise<readonly string[]>;
}

async function stage(
  scope: Scope,
  {
    clock = new ManualClock(),
    ...options
  }: Omit<ProtectedServerOptions, 'issuer' | 'clock'> & { readonly clock?: ManualClock } = {},
): Promise<Stage> {
  const issuer = scope.use(await startAuthorizationServer({ clock, accessTokenSeconds: 600 }));
  const server = scope.use(await startProtectedServer({ issuer, clock, ...options }));
  const user = await oneUser(scope, { clock });
  return {
    ...{ issuer, server, clock, user },
    async subjectsOf(host, entry) {
      const before = server.admitted.length;
      expect((await echo(host, entry)).kind).toBe('result');
      return [...new Set(server.admitted.slice(before).map(({ grant }) => grant.subject))];
    },
  };
}

function credentialsOf({ home }: OneUser) {
  const environment = environmentIn(home);
  const folder = `${home}/state/auth`;
  return vaultCredentials({ secrets: secretStore(environment), folder, clock: systemClock });
}

async function accountsIn(user: OneUser): Promise<readonly string[]> {
  const kept = await credentialsOf(user).credentials.list();
  return kept.ok ? kept.value.map(({ account }) => account).toSorted() : [];
}

describe('two entries of one address with different accounts', () => {
  verifies('AUT-09');

  const entries = ({ url }: { readonly url: string }) => ({
    home: { url },
    work: { url, oauth: { account: 'work' } },
  });

  async function bothSignedIn(scope: Scope) {
    const at = await stage(scope);
    const host = await at.user.run(entries(at.server));
    at.issuer.signIn('alice');
    await host.login('home', inBrowser(followingBrowser()));
    at.issuer.signIn('alice@work');
    await host.login('work', inBrowser(followingBrowser()));
    return { ...at, host };
  }

  it('use separate tokens', async () => {
    await using scope = new Scope();
    const at = await bothSignedIn(scope);
    expect(await at.subjectsOf(at.host, 'home')).toEqual(['alice']);
    expect(await at.subjectsOf(at.host, 'work')).toEqual(['alice@work']);

    const later = await at.user.run(entries(at.server));
    expect(await at.subjectsOf(later, 'work')).toEqual(['alice@work']);
    expect(await at.subjectsOf(later, 'home')).toEqual(['alice']);
    expect(await accountsIn(at.user)).toEqual(['default', 'work']);
  });

  it('renew their own token, before it expires and after it was refused', async () => {
    await using scope = new Scope();
    const at = await bothSignedIn(scope);
    await at.clock.advance(599_000);
    expect(await at.subjectsOf(at.host, 'home')).toEqual(['alice']);
    expect(await at.subjectsOf(at.host, 'work')).toEqual(['alice@work']);
    at.issuer.revokeAccessTokens();
    expect(await at.subjectsOf(at.host, 'work')).toEqual(['alice@work']);
    expect(await at.subjectsOf(at.host, 'home')).toEqual(['alice']);
  });

  it('share nothing with an account that is not signed in', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(entries(at.server));
    await host.login('home', inBrowser(followingBrowser()));
    expect((await echo(host, 'work')).kind).toBe('needs-auth');
    expect(at.server.admitted).toEqual([]);

    await host.login('work', inBrowser(followingBrowser()));
    expect(await host.logout('home')).toMatchObject({ kind: 'signed-out', wasSignedIn: true });
    expect((await echo(host, 'home')).kind).toBe('needs-auth');
    expect((await echo(host, 'work')).kind).toBe('result');
    expect(await accountsIn(at.user)).toEqual(['work']);
  });
});

describe('a sign-in as another account than the entry names', () => {
  verifies('AUT-09');

  it('serves the entries of that account, and leaves this entry unchanged', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const { url } = at.server;
    const host = await at.user.run({ home: { url }, work: { url, oauth: { account: 'work' } } });
    at.issuer.signIn('alice');
    await host.login('home', inBrowser(followingBrowser()));
    expect((await echo(host, 'work')).kind).toBe('needs-auth');
    at.issuer.signIn('alice@work');
    expect(await host.login('home', { ...inBrowser(followingBrowser()), account: 'work' })).toEqual(
      {
        kind: 'signed-in',
        server: 'home',
        issuer: at.issuer.issuer,
        account: 'work',
        scope: '',
      },
    );
    expect(await at.subjectsOf(host, 'home')).toEqual(['alice']);
    expect(await at.subjectsOf(host, 'work')).toEqual(['alice@work']);

    expect(await host.logout('home', { account: 'work' })).toMatchObject({ wasSignedIn: true });
    expect((await echo(host, 'work')).kind).toBe('needs-auth');
    expect(await at.subjectsOf(host, 'home')).toEqual(['alice']);
  });
});

describe('one sign-in', () => {
  verifies('AUT-09');

  it('serves two entries of the same address and account, and so does one sign-out', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const { url } = at.server;
    const host = await at.user.run({ one: { url }, two: { url, oauth: { scopes: 'read' } } });
    for (const entry of ['one', 'two']) expect((await echo(host, entry)).kind).toBe('needs-auth');
    await host.login('one', inBrowser(followingBrowser()));
    for (const entry of ['one', 'two']) expect((await echo(host, entry)).kind).toBe('result');
    expect(at.issuer.count({ endpoint: 'authorization' })).toBe(1);

    await host.logout('two');
    for (const entry of ['one', 'two']) expect((await echo(host, entry)).kind).toBe('needs-auth');
    expect(await accountsIn(at.user)).toEqual([]);
  });

  it('serves several addresses of one resource, also those that were refused before', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { audience: 'any' });
    const { url } = at.server;
    at.server.misbehave({ metadata: { resource: new URL(url).origin } });
    const host = await at.user.run({ one: { url }, two: { url: `${url}?team=blue` } });
    expect((await echo(host, 'two')).kind).toBe('needs-auth');
    expect(at.server.admitted).toEqual([]);
    await host.login('one', inBrowser(followingBrowser()));
    // Authorized; how the server handles such an address does not matter here.
    await echo(host, 'two');
    expect(new Set(at.server.admitted.map(({ value }) => value))).toEqual(
      new Set(at.issuer.accessTokens.map(({ value }) => value)),
    );
    expect(at.issuer.count({ endpoint: 'authorization' })).toBe(1);
    expect(await accountsIn(at.user)).toEqual(['default']);
  });

  it('by device code replaces one in a browser, and is signed out with it', async () => {
    verifies('AUT-04');
    await using scope = new Scope();
    const clock = new PacedClock();
    const at = await stage(scope, { clock });
    const host = await at.user.run({ notes: { url: at.server.url } });
    at.issuer.signIn('alice');
    await host.login('notes', inBrowser(followingBrowser()));
    expect(await at.subjectsOf(host, 'notes')).toEqual(['alice']);

    at.issuer.signIn('bob');
    const before = clock.pauses.length;
    const signingIn = host.login('notes', {
      way: { kind: 'device', show: ({ userCode }) => at.issuer.approveDevice(userCode) },
    });
    await clock.passFirst(5000, before);
    expect(await signingIn).toMatchObject({ kind: 'signed-in', account: 'default' });
    expect(await at.subjectsOf(host, 'notes')).toEqual(['bob']);
    expect(await accountsIn(at.user)).toEqual(['default']);

    await host.logout('notes');
    expect(await credentialsOf(at.user).credentials.list()).toEqual(ok([]));
    expect((await echo(host, 'notes')).kind).toBe('needs-auth');
  });
});
