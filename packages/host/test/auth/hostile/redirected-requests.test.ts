import { isUrl, ok, Scope } from '@plugboard/base';
import {
  type Fault,
  GRANT_TYPES,
  HOSTILE_ADDRESSES,
  startAuthorizationServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostileScene, notSignedIn } from './scene.ts';

/** A header cannot contain a line break, and an address without a scheme is on the server itself. */
const SENDABLE = HOSTILE_ADDRESSES.filter(
  ({ address }) => isUrl(address) && !address.includes('\n'),
);
const STATUSES = [302, 303, 307, 308] as const;

describe('metadata that redirects elsewhere', () => {
  verifies('AUT-11');

  it.each(SENDABLE)('is not followed there: $name', async ({ address }) => {
    await using scope = new Scope();
    const redirect = { kind: 'redirect', to: address } as const;
    const ofServer = { faults: [{ at: 'resource-metadata' as const, ...redirect }] };
    const { login, elsewhere, server, issuer } = await hostileScene(scope, {
      server: { misbehaviour: ofServer },
    });
    const first = await login();
    server.misbehave({});
    issuer.misbehave({ faults: [{ at: 'metadata', ...redirect }] });
    const second = await login();
    expect(elsewhere()).toEqual([]);
    expect(first).toMatchObject(
      notSignedIn({ kind: 'unsafe-address', field: 'resource_metadata' }),
    );
    expect(second).toMatchObject(
      notSignedIn({ kind: 'unsafe-address', field: 'authorization_servers' }),
    );
  });

  it('is not followed forever', async () => {
    await using scope = new Scope();
    const { login, server } = await hostileScene(scope);
    const to = server.resourceMetadataUrl;
    server.misbehave({ faults: [{ at: 'resource-metadata', kind: 'redirect', to }] });
    expect(await login()).toEqual(
      notSignedIn({ kind: 'unsafe-address', field: 'resource_metadata', url: to }),
    );
    expect(server.count({ endpoint: 'resource-metadata' })).toBe(4);
  });
});

describe('a request with a code or a secret', () => {
  verifies('AUT-11');
  const client = { id: 'known', secret: 't0p' };
  const scene = {
    issuer: { clients: [{ ...client, redirectUris: ['http://127.0.0.1:28437/callback'] }] },
  };
  const entry = { oauth: { clientId: client.id, clientSecret: '${secret:CLIENT}' } };
  const host = {
    secrets: { get: () => Promise.resolve(ok(client.secret)) },
  };

  it.each(STATUSES)('is redirected to no other server: %s', async (status) => {
    await using scope = new Scope();
    const thief = scope.use(await startAuthorizationServer());
    const to = `${thief.origin}/token`;
    const fault: Fault = { at: 'token', kind: 'redirect', to, status };
    const { login, issuer, browser } = await hostileScene(scope, { ...scene, entry, host });
    issuer.misbehave({ faults: [fault] });
    const url = `${issuer.origin}/token`;
    expect(await login()).toEqual(
      notSignedIn({ kind: 'unsafe-address', field: 'token_endpoint', url }),
    );
    expect(browser.visited.length).toBe(1);
    expect(thief.requests).toEqual([]);
  });

  it.each(STATUSES)('is not repeated, even on the same server: %s', async (status) => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope, { ...scene, entry, host });
    const to = `${issuer.origin}/elsewhere`;
    issuer.misbehave({ faults: [{ at: 'token', kind: 'redirect', to, status }] });
    expect(await login()).toMatchObject(notSignedIn({ kind: 'unsafe-address' }));
    expect(issuer.count({ endpoint: 'unknown' })).toBe(0);
  });

  it.each(STATUSES)('is not redirected elsewhere when a token is renewed: %s', async (status) => {
    await using scope = new Scope();
    const thief = scope.use(await startAuthorizationServer());
    const { login, look, issuer, credentials } = await hostileScene(scope, {
      ...scene,
      entry,
      host,
    });
    expect((await login()).kind).toBe('signed-in');
    issuer.revokeAccessTokens();
    const grantType = GRANT_TYPES.refreshToken;
    const to = `${thief.origin}/token`;
    issuer.misbehave({ faults: [{ at: 'token', grantType, kind: 'redirect', to, status }] });
    expect((await look()).kind).toBe('needs-auth');
    expect(thief.requests).toEqual([]);
    // Nothing was lost: the credential works once the server behaves.
    issuer.misbehave({});
    expect((await look()).kind).toBe('result');
    const kept = await credentials.credentials.list();
    expect(kept.ok && kept.value.length).toBe(1);
  });
});
