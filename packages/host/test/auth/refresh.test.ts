import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { never, ok, systemClock } from '@plugboard/base';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/auth/credential.ts';
import { type CredentialStore, memoryCredentials, vaultCredentials } from '../../src/auth/index.ts';
import { refreshCredential } from '../../src/auth/renew.ts';
import { secretStore } from '../../src/vault/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { guardedHost, look, SERVER } from './guarded-host.ts';
import { type GuardedServer, startGuarded } from './guarded-server.ts';

/** A credential that somebody got earlier and that has expired meanwhile. */
async function signedInEarlier(guarded: GuardedServer, credentials: CredentialStore) {
  await using host = await guardedHost({ url: guarded.url, credentials });
  const outcome = await host.login(SERVER, inBrowser(followingBrowser()));
  expect(outcome.kind).toBe('signed-in');
  const expired = (now: Credential | undefined): Promise<Credential | undefined> =>
    Promise.resolve(now === undefined ? now : { ...now, expiresAt: 0 });
  const kept = await credentials.credentials.list();
  const [credential] = kept.ok ? kept.value : [];
  if (credential === undefined) throw new Error('nothing was kept');
  await credentials.credentials.update(credential, expired, never);
  return credential;
}

describe('a token that has expired', () => {
  it('is renewed once, however many calls need it', async () => {
    verifies('AUT-06');
    await using guarded = await startGuarded();
    const credentials = memoryCredentials();
    await signedInEarlier(guarded, credentials);
    await using host = await guardedHost({ url: guarded.url, credentials });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => look(host)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'result'));
    expect(guarded.counts['refresh_token']).toBe(1);
    expect(guarded.tokenRequests.at(-1)?.get('resource')).toBe(guarded.url);
  });

  it('is renewed once when the server refuses it in the middle of a session', async () => {
    verifies('AUT-05');
    await using guarded = await startGuarded();
    await using host = await guardedHost({ url: guarded.url, browser: followingBrowser() });
    expect((await look(host)).kind).toBe('result');
    guarded.revoke();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => look(host)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'result'));
    expect(guarded.counts['refresh_token']).toBe(1);
    expect(guarded.authorizations.length).toBe(1);
  });

  it('that cannot be renewed needs somebody to sign in, and the session ends', async () => {
    verifies('AUT-05');
    await using guarded = await startGuarded();
    await using host = await guardedHost({ url: guarded.url });
    await host.login(SERVER, inBrowser(followingBrowser()));
    expect((await look(host)).kind).toBe('result');
    guarded.revoke();
    guarded.behave({ refresh: { status: 400, error: 'invalid_grant' } });
    expect((await look(host)).kind).toBe('needs-auth');
    expect(host.servers[0]?.state.kind).toBe('needs-auth');
    expect(guarded.counts['refresh_token']).toBe(1);
    // The refresh token is known to be of no use, so it is not shown again.
    expect((await look(host)).kind).toBe('needs-auth');
    expect(guarded.counts['refresh_token']).toBe(1);
  });

  it('stays kept when the authorization server is out of order', async () => {
    verifies('AUT-06');
    await using guarded = await startGuarded();
    const credentials = memoryCredentials();
    const before = await signedInEarlier(guarded, credentials);
    guarded.behave({ refresh: { status: 503, error: 'temporarily_unavailable' } });
    guarded.revoke();
    await using host = await guardedHost({ url: guarded.url, credentials });
    expect((await look(host)).kind).toBe('needs-auth');
    const kept = await credentials.credentials.read(before);
    expect(kept).toEqual(ok({ ...before, expiresAt: 0 }));
    guarded.behave({});
    await using later = await guardedHost({ url: guarded.url, credentials });
    expect((await look(later)).kind).toBe('result');
  });
});

describe('a renewal that fails', () => {
  it('takes what somebody else got meanwhile, and destroys none of it', async () => {
    verifies('AUT-06');
    const store = memoryCredentials();
    const key = { issuer: 'https://as.example', client: 'c', account: 'a', resource: 'r' };
    const old: Credential = {
      ...{ ...key, accessToken: 'old', kind: 'bearer', refreshToken: 'used', obtainedAt: 0 },
      expiresAt: 0,
    };
    const newer: Credential = { ...old, accessToken: 'new', refreshToken: 'fresh' };
    await store.credentials.update(key, () => Promise.resolve(old), never);
    // Another program that knows nothing of the lock was faster.
    const overtaken: CredentialStore = {
      ...store,
      credentials: { ...store.credentials, read: () => Promise.resolve(ok(newer)) },
    };
    const renewed = await refreshCredential(
      {
        key,
        refused: 'old',
        ask: () =>
          Promise.resolve({
            ok: false,
            error: { kind: 'denied', issuer: key.issuer, error: 'invalid_grant' },
          }),
      },
      { store: overtaken, clock: systemClock, ending: never },
    );
    expect(renewed).toEqual(ok(newer));
    expect(await store.credentials.read(key)).toEqual(ok(newer));
  });
});

describe('many processes with one expired credential', () => {
  const PROCESSES = 20;

  it('renew it once, and all of them use what that gave', { timeout: 120_000 }, async () => {
    verifies('AUT-06', 'AUT-10');
    await using guarded = await startGuarded();
    await using folder = await tempFolder();
    const credentials = credentialsIn(folder);
    await signedInEarlier(guarded, credentials);
    const outcomes = await callAtOnce(guarded.url, folder.path);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(
      Array.from({ length: PROCESSES }, () => 'result'),
    );
    expect(guarded.counts['refresh_token']).toBe(1);
    const kept = await credentials.credentials.list();
    expect(kept.ok && kept.value.length).toBe(1);
    // Nothing of it can be read in the files.
    const stored = await folder.read('state/secrets.json');
    for (const token of guarded.presented) expect(stored).not.toContain(token?.slice(7) ?? '-');
  });

  async function callAtOnce(url: string, home: string) {
    const script = fileURLToPath(new URL('./fixtures/call-once.mjs', import.meta.url));
    const started = Array.from({ length: PROCESSES }, () => {
      const child = spawn(process.execPath, [script, url, home], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
    for (const { lines } of started) expect((await lines.next()).value).toBe('ready');
    for (const { child } of started) child.stdin.write('go\n');
    return Promise.all(
      started.map(async ({ lines, child }) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        const { value } = await lines.next();
        await ended;
        return JSON.parse(String(value)) as { readonly kind: string };
      }),
    );
  }
});

function credentialsIn({ path }: TempFolder): CredentialStore {
  const paths = {
    home: path,
    state: `${path}/state`,
    config: `${path}/config`,
    cache: `${path}/cache`,
  };
  const secrets = secretStore({ paths, env: {}, platform: 'linux' });
  return vaultCredentials({ secrets, folder: `${path}/state/auth`, clock: systemClock });
}
