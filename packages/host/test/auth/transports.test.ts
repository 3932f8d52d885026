import { ok } from '@plugboard/base';
import { GRANT_TYPES, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import { cells } from './cells.ts';
import { signedInEarlier } from './expired-credential.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';

const MANY = 5;
const kinds = (outcomes: readonly { readonly kind: string }[]) => outcomes.map(({ kind }) => kind);
const allSeen = Array.from({ length: MANY }, () => 'result');

describe.each(cells)('authorization over $name', ({ entry, pair }) => {
  it('uses the token of the sign-in, which is for that server only', async () => {
    verifies('AUT-03', 'AUT-05');
    await using guarded = await pair({ server: { scopes: { always: ['read'] } } });
    const { issuer, server, url } = guarded;
    await using host = await guardedHost({ url, entry });
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      url,
      reason: { kind: 'sign-in-needed', issuer: issuer.issuer },
    });
    expect(await host.login(SERVER, inBrowser(followingBrowser()))).toMatchObject({
      kind: 'signed-in',
      issuer: issuer.issuer,
    });
    expect(await look(host)).toEqual(SEEN);
    const [token] = issuer.accessTokens;
    expect(token?.grant.resource).toBe(server.resource);
    expect(token?.grant.scopes).toContain('read');
    expect(new Set(server.admitted)).toEqual(new Set(issuer.accessTokens));
  });

  it('renews an expired token once, however many calls need it', async () => {
    verifies('AUT-06');
    await using guarded = await pair();
    const credentials = memoryCredentials();
    await signedInEarlier({ url: guarded.url, entry, credentials });
    await using host = await guardedHost({ url: guarded.url, entry, credentials });
    const outcomes = await Promise.all(Array.from({ length: MANY }, () => look(host)));
    expect(kinds(outcomes)).toEqual(allSeen);
    const { issuer, server } = guarded;
    expect(issuer.count({ grantType: GRANT_TYPES.refreshToken })).toBe(1);
    expect(issuer.requests.at(-1)?.parameters.resource).toBe(server.resource);
  });

  it('gets a machine token with the secret of its client, without a prompt', async () => {
    verifies('AUT-07');
    const clients = [{ id: 'machine', secret: 'hush-4f1c' }];
    await using guarded = await pair({ issuer: { clients } });
    const { issuer, server, url } = guarded;
    const oauth = {
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: '${secret:MACHINE}',
    };
    const secrets = { get: () => Promise.resolve(ok('hush-4f1c')) };
    await using host = await guardedHost({ url, entry: { ...entry, oauth }, host: { secrets } });
    expect(await look(host)).toEqual(SEEN);
    expect(server.admitted[0]?.grant).toEqual({
      clientId: 'machine',
      subject: 'machine',
      scopes: [],
      resource: server.resource,
    });
    expect(issuer.count({ endpoint: 'authorization' })).toBe(0);
  });

  it('binds a token to a key, if the server demands that', async () => {
    verifies('AUT-07');
    await using guarded = await pair({
      issuer: { dpop: 'required' },
      server: { dpop: 'required' },
    });
    const browser = followingBrowser();
    await using host = await guardedHost({ url: guarded.url, entry, browser });
    expect(await look(host)).toEqual(SEEN);
    expect(guarded.server.admitted[0]?.grant.keyThumbprint).toMatch(/^[\w-]{43}$/);
  });
});

describe.each(cells.filter(({ isAskedAgain }) => isAskedAgain))(
  'authorization in a session over $name',
  ({ entry, pair }) => {
    it('renews a refused token once', async () => {
      verifies('AUT-05', 'AUT-06');
      await using guarded = await pair();
      const { issuer, url } = guarded;
      await using host = await guardedHost({ url, entry, browser: followingBrowser() });
      expect(await look(host)).toEqual(SEEN);
      issuer.revokeAccessTokens();
      const outcomes = await Promise.all(Array.from({ length: MANY }, () => look(host)));
      expect(kinds(outcomes)).toEqual(allSeen);
      expect(issuer.count({ grantType: GRANT_TYPES.refreshToken })).toBe(1);
      expect(issuer.count({ endpoint: 'authorization' })).toBe(1);
    });
  },
);
