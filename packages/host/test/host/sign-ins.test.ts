import {
  ManualClock,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import { createHost, type HostOptions } from '../../src/index.ts';
import { followingBrowser } from '../auth/following-browser.ts';

const way = () => ({ kind: 'browser', browser: followingBrowser() }) as const;

function hostWith(
  servers: NonNullable<HostOptions['servers']>,
  more: HostOptions = {},
): ReturnType<typeof createHost> {
  return createHost({
    files: 'none',
    servers,
    authorization: { credentials: memoryCredentials() },
    ...more,
  });
}

describe('the sign-ins of a host', () => {
  it('are listed with what is known of each, without a token, and without a request', async () => {
    verifies('AUT-09', 'AUT-12');
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clock });
    await using server = await startProtectedServer({ issuer, scopes: { always: ['read'] } });
    await using host = await hostWith({ docs: { type: 'http', url: server.url } }, { clock });
    const docs = { server: 'docs', url: server.url };
    expect(await host.signIns()).toEqual([
      { ...docs, account: 'default', isInUse: true, state: { kind: 'not-signed-in' } },
    ]);
    await host.login('docs', { way: way(), account: 'work' });
    const asked = issuer.requests.length;
    const statuses = await host.signIns();
    expect(statuses).toEqual([
      { ...docs, account: 'default', isInUse: true, state: { kind: 'not-signed-in' } },
      {
        ...docs,
        account: 'work',
        isInUse: false,
        state: {
          kind: 'signed-in',
          grant: 'authorization_code',
          issuer: issuer.issuer,
          scopes: ['read', 'offline_access'],
          obtainedAt: clock.now(),
          expiresAt: clock.now() + 3_600_000,
          isRenewable: true,
        },
      },
    ]);
    expect(issuer.requests.length).toBe(asked);
    for (const secret of issuer.everySecret())
      expect(JSON.stringify(statuses)).not.toContain(secret);
  });

  it('do not show secrets of the address', async () => {
    const url = 'https://example.com/mcp?key=sesame#sesame';
    await using host = await hostWith({ docs: { type: 'http', url } });
    expect((await host.signIns()).map((status) => status.url)).toEqual(['https://example.com/mcp']);
  });

  it('are found for a server whose address contains a secret', async () => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer });
    const secrets = {
      get: (name: string) =>
        Promise.resolve({ ok: true, value: name === 'K' ? 'sesame' : undefined } as const),
    };
    const url = `${server.url}?key=\${secret:K}`;
    await using host = await hostWith({ docs: { type: 'http', url } }, { secrets });
    expect((await host.login('docs', { way: way() })).kind).toBe('signed-in');
    const [status] = await host.signIns();
    expect([status?.url, status?.state.kind]).toEqual([server.url, 'signed-in']);
  });
});

describe('imported tokens', () => {
  verifies('AUT-12');

  it('are used like those of a sign-in, also by a host that was refused before', async () => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer });
    const servers = { docs: { type: 'http', url: server.url } };
    await using elsewhere = await hostWith(servers);
    await elsewhere.login('docs', { way: way() });
    const [token] = issuer.accessTokens;

    await using host = await hostWith(servers);
    expect((await host.tools()).problems.map(({ kind }) => kind)).toEqual(['needs-auth']);
    const tokens = { access_token: token?.value, expires_in: 60 };
    const outcome = await host.importSignIn('docs', { tokens });
    expect(outcome).toEqual({
      kind: 'imported',
      server: 'docs',
      issuer: issuer.issuer,
      resource: server.url,
      client: '',
      account: 'default',
      expiresAt: expect.any(Number),
      isRenewable: false,
    });
    const { tools, problems } = await host.tools({ fresh: true });
    expect([tools.length > 0, problems]).toEqual([true, []]);
  });

  it('are refused for an unknown server, or one that needs none', async () => {
    await using host = await hostWith({
      local: { command: 'true' },
      given: { type: 'http', url: 'https://example.com', headers: { Authorization: 'x' } },
    });
    const tokens = { access_token: 'a' };
    expect([
      await host.importSignIn('nobody', { tokens }),
      await host.importSignIn('local', { tokens }),
      await host.importSignIn('given', { tokens }),
    ]).toEqual([
      { kind: 'unknown-server', server: 'nobody' },
      { kind: 'no-login', server: 'local' },
      { kind: 'no-login', server: 'given' },
    ]);
  });
});

describe('signing out', () => {
  verifies('AUT-12');

  it('revokes both tokens, as the client that they were issued to', async () => {
    const client = { id: 'ours', secret: 'sesame' };
    await using issuer = await startAuthorizationServer({
      clients: [{ ...client, redirectUris: ['http://127.0.0.1:28437/callback'] }],
    });
    await using server = await startProtectedServer({ issuer });
    const secrets = { get: () => Promise.resolve({ ok: true, value: client.secret } as const) };
    const oauth = { clientId: client.id, clientSecret: '${secret:S}' };
    const entry = { type: 'http', url: server.url, oauth };
    await using host = await hostWith({ docs: entry }, { secrets });
    expect((await host.login('docs', { way: way() })).kind).toBe('signed-in');
    expect(await host.logout('docs')).toEqual({
      kind: 'signed-out',
      server: 'docs',
      wasSignedIn: true,
      revocation: { kind: 'revoked' },
    });
    const revoked = issuer.requests.filter(({ endpoint }) => endpoint === 'revocation');
    expect(revoked.map(({ parameters }) => parameters['token_type_hint'])).toEqual([
      'refresh_token',
      'access_token',
    ]);
  });

  it('sends no token to an unsafe address', async () => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer });
    await using host = await hostWith({ docs: { type: 'http', url: server.url } });
    await host.login('docs', { way: way() });
    issuer.misbehave({ metadata: { revocation_endpoint: 'http://example.com/revoke' } });
    expect(await host.logout('docs')).toEqual({
      kind: 'signed-out',
      server: 'docs',
      wasSignedIn: true,
      revocation: {
        kind: 'failed',
        problem: { kind: 'unsafe-address', field: 'revocation_endpoint' },
      },
    });
  });
});
