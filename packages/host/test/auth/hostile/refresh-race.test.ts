import { Scope, systemClock } from '@plugboard/base';
import { GRANT_TYPES, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type CredentialStore, vaultCredentials } from '../../../src/auth/index.ts';
import { secretStore } from '../../../src/vault/index.ts';
import { hostileScene, SERVER } from './scene.ts';

const CALLS = 10;
const refreshes = { endpoint: 'token', grantType: GRANT_TYPES.refreshToken } as const;

/** Stores that share only the files on disk, like those of two processes. */
async function sharedStores(scope: Scope): Promise<readonly [CredentialStore, CredentialStore]> {
  const { path } = scope.use(await tempFolder());
  const paths = { home: path, state: path, config: path, cache: path };
  const store = (): CredentialStore =>
    vaultCredentials({
      secrets: secretStore({ paths, env: { PLUGBOARD_SECRETS: 'file' }, platform: 'linux' }),
      folder: `${path}/auth`,
      clock: systemClock,
    });
  return [store(), store()];
}

describe('concurrent refused calls with a one-time refresh token', () => {
  verifies('AUT-05', 'AUT-06');

  it('renew it once in one host', async () => {
    await using scope = new Scope();
    const { login, look, issuer, credentials } = await hostileScene(scope, {
      issuer: { refreshTokens: 'rotating' },
    });
    expect((await login()).kind).toBe('signed-in');
    expect((await look()).kind).toBe('result');
    issuer.revokeAccessTokens();
    const before = issuer.count({ endpoint: 'metadata' });
    const outcomes = await Promise.all(Array.from({ length: CALLS }, () => look()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'result'));
    expect(issuer.count(refreshes)).toBe(1);
    // All of it is done once, not only the last step.
    expect(issuer.count({ endpoint: 'metadata' }) - before).toBe(1);
    const kept = await credentials.credentials.list();
    expect(kept.ok && kept.value.length).toBe(1);
  });

  it('renew it once in two hosts that share a store', async () => {
    await using scope = new Scope();
    const { browser, issuer, anotherHost } = await hostileScene(scope, {
      issuer: { refreshTokens: 'rotating' },
    });
    const stores = await sharedStores(scope);
    const hosts = await Promise.all(
      stores.map((credentials) => anotherHost({ authorization: { credentials } })),
    );
    expect((await hosts[0]?.login(SERVER, { way: { kind: 'browser', browser } }))?.kind).toBe(
      'signed-in',
    );
    const looks = () =>
      Promise.all(
        hosts.flatMap((host) =>
          Array.from({ length: CALLS }, () => host.call({ server: SERVER, tool: 'look' }, {})),
        ),
      );
    expect(new Set((await looks()).map(({ kind }) => kind))).toEqual(new Set(['result']));
    issuer.revokeAccessTokens();
    expect(new Set((await looks()).map(({ kind }) => kind))).toEqual(new Set(['result']));
    expect(issuer.count(refreshes)).toBe(1);
    for (const store of stores) {
      const kept = await store.credentials.list();
      expect(kept.ok && kept.value.length).toBe(1);
    }
  });

  it('lose no credential when the answer is lost', async () => {
    await using scope = new Scope();
    const { login, look, issuer, credentials } = await hostileScene(scope);
    expect((await login()).kind).toBe('signed-in');
    const before = await credentials.credentials.list();
    issuer.revokeAccessTokens();
    issuer.misbehave({
      faults: [{ at: 'token', grantType: GRANT_TYPES.refreshToken, kind: 'reset' }],
    });
    const outcomes = await Promise.all(Array.from({ length: CALLS }, () => look()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'needs-auth'));
    expect(await credentials.credentials.list()).toEqual(before);
    issuer.misbehave({});
    expect((await look()).kind).toBe('result');
  });
});
