import { ok, Scope } from '@plugboard/base';
import { type Misbehaviour, startAuthorizationServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostileScene, notSignedIn } from './scene.ts';

const REDIRECT = 'http://127.0.0.1:28437/callback';
const CLIENT = { id: 'known', redirectUris: [REDIRECT] };

describe('an authorization server that takes the code of another', () => {
  verifies('AUT-03', 'AUT-11');

  it('is detected by the iss of the redirect, and receives no code', async () => {
    await using scope = new Scope();
    const honest = scope.use(await startAuthorizationServer({ clients: [CLIENT] }));
    const {
      login,
      issuer: thief,
      browser,
    } = await hostileScene(scope, {
      entry: { oauth: { clientId: CLIENT.id } },
      issuer: {
        misbehaviour: {
          metadata: {
            authorization_endpoint: `${honest.origin}/authorize`,
            // So that a redirect without an issuer would be normal.
            authorization_response_iss_parameter_supported: null,
          },
        },
      },
    });
    expect(await login()).toEqual(notSignedIn({ kind: 'issuer-mismatch', where: 'redirect' }));
    expect(browser.visited).toEqual([expect.stringContaining(`${honest.origin}/authorize?`)]);
    expect(thief.count({ endpoint: 'token' })).toBe(0);
  });

  const forged: readonly (readonly [string, Misbehaviour['iss']])[] = [
    ['not said, though that was announced', 'missing'],
    ['another', { forged: 'https://elsewhere.example' }],
    ['nearly the same', 'normalised'],
  ];

  it.each(forged)('is detected by its own name: %s', async (_, iss) => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope, {
      issuer: { ...(iss === undefined ? {} : { misbehaviour: { iss } }) },
    });
    expect(await login()).toEqual(notSignedIn({ kind: 'issuer-mismatch', where: 'redirect' }));
    expect(issuer.count({ endpoint: 'token' })).toBe(0);
  });

  it('cannot even report a denial', async () => {
    await using scope = new Scope();
    const { login } = await hostileScene(scope, {
      issuer: {
        misbehaviour: {
          iss: { forged: 'https://elsewhere.example' },
          authorizationError: { error: 'access_denied' },
        },
      },
    });
    expect(await login()).toEqual(notSignedIn({ kind: 'issuer-mismatch', where: 'redirect' }));
  });
});

describe('metadata of another issuer than the requested one', () => {
  verifies('AUT-01', 'AUT-11');

  it.each(['https://elsewhere.example', 'http://127.0.0.1:1'])(
    'is rejected, and no page is opened: %s',
    async (other) => {
      await using scope = new Scope();
      const { login, issuer, browser, elsewhere } = await hostileScene(scope, {
        issuer: { misbehaviour: { metadata: { issuer: other } } },
      });
      expect(await login()).toEqual(notSignedIn({ kind: 'issuer-mismatch', where: 'metadata' }));
      expect(browser.visited).toEqual([]);
      expect(issuer.count({ endpoint: 'registration' })).toBe(0);
      expect(elsewhere()).toEqual([]);
    },
  );
});

describe('a server that moves to another authorization server', () => {
  verifies('AUT-09', 'AUT-11');
  const secrets = { get: () => Promise.resolve(ok('t0p')) };

  it('sends it neither the client secret nor a refresh token', async () => {
    await using scope = new Scope();
    const { login, look, server, issuer, browser, anotherHost } = await hostileScene(scope, {
      issuer: { clients: [{ ...CLIENT, secret: 't0p' }] },
      entry: { oauth: { clientId: CLIENT.id, clientSecret: '${secret:CLIENT}' } },
      host: { secrets },
    });
    expect((await login()).kind).toBe('signed-in');
    const thief = scope.use(
      await startAuthorizationServer({ clients: [{ ...CLIENT, secret: 'other' }] }),
    );
    server.moveTo(thief);
    const reason = { kind: 'issuer-mismatch', where: 'client' };
    expect(await look()).toMatchObject({ kind: 'needs-auth', reason });
    expect(await login()).toEqual(notSignedIn(reason));
    // Nor does a host that only has the stored data.
    const later = await anotherHost();
    const { kind } = await later.call({ server: 'guarded', tool: 'look' }, {});
    expect(kind).toBe('needs-auth');
    expect(thief.count({ endpoint: 'token' })).toBe(0);
    expect(browser.visited.length).toBe(1);
    expect(issuer.count({ endpoint: 'token' })).toBe(1);
  });

  it('sends it no credential of a client registered at the previous one', async () => {
    await using scope = new Scope();
    const { login, look, server, issuer } = await hostileScene(scope);
    expect((await login()).kind).toBe('signed-in');
    const thief = scope.use(await startAuthorizationServer());
    server.moveTo(thief);
    expect(await look()).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed', issuer: thief.issuer },
    });
    const told = JSON.stringify(thief.requests);
    for (const secret of issuer.everySecret()) expect(told).not.toContain(secret);
    expect(thief.count({ endpoint: 'token' })).toBe(0);
  });
});
