import { err, never, ok, systemClock } from '@plugboard/base';
import {
  type Fault,
  GRANT_TYPES,
  ManualClock,
  type Misbehaviour,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/auth/credential.ts';
import { type CredentialStore, memoryCredentials } from '../../src/auth/index.ts';
import { refreshCredential } from '../../src/auth/renew.ts';
import { Renewals } from '../../src/auth/renewals.ts';
import { onlyOne, signedInEarlier } from './expired-credential.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';
import { guardedPair } from './guarded-pair.ts';

const REFRESH = { grantType: GRANT_TYPES.refreshToken };
const refreshing = (fault: DistributiveOmit<Fault, 'at' | 'grantType'>): Misbehaviour => ({
  faults: [{ at: 'token', ...REFRESH, ...fault }],
});

describe('a refused token', () => {
  it('that cannot be renewed demands a sign-in, and the session ends', async () => {
    verifies('AUT-05');
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    await using host = await guardedHost({ url });
    await host.login(SERVER, inBrowser(followingBrowser()));
    expect(await look(host)).toEqual(SEEN);
    issuer.revokeEverything();
    expect((await look(host)).kind).toBe('needs-auth');
    expect(host.servers[0]?.state.kind).toBe('needs-auth');
    expect(issuer.count(REFRESH)).toBe(1);
    // The refresh token is known to be invalid, so it is not sent again.
    expect((await look(host)).kind).toBe('needs-auth');
    expect(issuer.count(REFRESH)).toBe(1);
  });

  it('that is new is not renewed in a loop', async () => {
    verifies('AUT-05');
    await using guarded = await guardedPair();
    const { issuer, server, url } = guarded;
    await using host = await guardedHost({ url });
    await host.login(SERVER, inBrowser(followingBrowser()));
    server.misbehave({ refusesAll: 'invalid-token' });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(issuer.count(REFRESH)).toBe(1);
  });

  it('is renewed with its own refresh token, if the server issues no other', async () => {
    await using guarded = await guardedPair({ issuer: { refreshTokens: 'fixed' } });
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    const before = await signedInEarlier({ url, credentials });
    for (const renewals of [1, 2]) {
      issuer.revokeAccessTokens();
      await using host = await guardedHost({ url, credentials });
      expect(await look(host)).toEqual(SEEN);
      expect(issuer.count(REFRESH)).toBe(renewals);
    }
    expect((await onlyOne(credentials)).refreshToken).toBe(before.refreshToken);
  });
});

describe('a failed renewal', () => {
  const faults: readonly (readonly [string, Misbehaviour])[] = [
    ['500', refreshing({ kind: 'status', status: 500 })],
    ['503, said as OAuth does', refreshing({ kind: 'error', error: 'temporarily_unavailable' })],
    ['a web page', refreshing({ kind: 'html' })],
    ['half an answer', refreshing({ kind: 'invalid-json' })],
    ['an answer that is no object', refreshing({ kind: 'not-an-object' })],
    ['an answer without a token', refreshing({ kind: 'huge', bytes: 10 })],
    ['an answer without end', refreshing({ kind: 'huge', bytes: 5_000_000 })],
    ['a connection that is cut', refreshing({ kind: 'reset' })],
    ['metadata that cannot be had', { faults: [{ at: 'metadata', kind: 'status', status: 500 }] }],
    ['metadata that is a web page', { faults: [{ at: 'metadata', kind: 'html' }] }],
    ['a client that is not known', refreshing({ kind: 'error', error: 'invalid_client' })],
  ];

  it.each(faults)('with %s keeps the credential, for the next time', async (_, wrong) => {
    verifies('AUT-06');
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    const before = await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();
    issuer.misbehave(wrong);
    await using host = await guardedHost({ url, credentials });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(await onlyOne(credentials)).toEqual(before);

    issuer.misbehave({});
    await using later = await guardedHost({ url, credentials });
    expect(await look(later)).toEqual(SEEN);
  });

  it.each(['hang', 'stall'] as const)('by silence (%s) keeps it too', async (kind) => {
    verifies('AUT-06');
    const clock = new ManualClock();
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    const before = await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();
    issuer.misbehave(refreshing({ kind }));
    await using host = await guardedHost({ url, credentials, host: { clock } });
    const outcome = look(host);
    await waitUntil(() => issuer.count(REFRESH) === 1, { describe: 'the refresh to be asked for' });
    await clock.advance(60_000);
    expect((await outcome).kind).not.toBe('result');
    expect(await onlyOne(credentials)).toEqual(before);

    issuer.misbehave({});
    await using later = await guardedHost({ url, credentials });
    expect(await look(later)).toEqual(SEEN);
  });

  it('whose answer was lost costs a sign-in, and no more', async () => {
    verifies('AUT-06');
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();
    issuer.misbehave(refreshing({ kind: 'lost-answer', times: 1 }));
    await using host = await guardedHost({ url, credentials });
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed', issuer: issuer.issuer },
    });
    const { refreshToken } = await onlyOne(credentials);
    expect(refreshToken).toBe(undefined);
    await host.login(SERVER, inBrowser(followingBrowser()));
    expect(await look(host)).toEqual(SEEN);
  });

  it('is not cut off if the host is closed meanwhile', async () => {
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    const credentials = memoryCredentials();
    const before = await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();
    issuer.misbehave(refreshing({ kind: 'slow', ms: 200 }));
    const host = await guardedHost({ url, credentials });
    const outcome = look(host);
    await waitUntil(() => issuer.count(REFRESH) === 1, { describe: 'the refresh to be asked for' });
    await host[Symbol.asyncDispose]();
    await outcome;
    expect((await onlyOne(credentials)).refreshToken).not.toBe(before.refreshToken);

    issuer.misbehave({});
    await using later = await guardedHost({ url, credentials });
    expect(await look(later)).toEqual(SEEN);
  });

  it('is not waited for without end if the host is closed meanwhile', async () => {
    const clock = new ManualClock();
    const renewals = new Renewals();
    using _ = renewals.begin();
    const settled = renewals.settled(clock);
    await clock.advance(3000);
    await settled;
    expect(clock.pending).toBe(0);
  });

  it('uses what another process obtained meanwhile, and deletes none of it', async () => {
    verifies('AUT-06');
    const store = memoryCredentials();
    const key = { issuer: 'https://as.example', client: 'c', account: 'a', resource: 'r' };
    const old: Credential = {
      ...{ ...key, accessToken: 'old', kind: 'bearer', refreshToken: 'used', obtainedAt: 0 },
      expiresAt: 0,
    };
    const newer: Credential = { ...old, accessToken: 'new', refreshToken: 'fresh' };
    await store.credentials.update(key, () => Promise.resolve(old), never);
    // Another program that does not use the lock was faster.
    const overtaken: CredentialStore = {
      ...store,
      credentials: { ...store.credentials, read: () => Promise.resolve(ok(newer)) },
    };
    const renewed = await refreshCredential(
      {
        key,
        refused: 'old',
        refresh: () =>
          Promise.resolve(err({ kind: 'denied', issuer: key.issuer, error: 'invalid_grant' })),
      },
      { store: overtaken, renewals: new Renewals(), clock: systemClock, ending: never },
    );
    expect(renewed).toEqual(ok(newer));
    expect(await store.credentials.read(key)).toEqual(ok(newer));
  });
});

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
