import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { ManualClock } from '../../src/manual-clock.ts';
import { app, endpoint, postForm, refresh, signIn, token } from './raw-oauth.ts';

const clients = [app];

describe('a refresh token of the test server', () => {
  it('is replaced when it is used', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const first = (await signIn(issuer, { scope: 'read' })).body;
    const second = await refresh(issuer, first['refresh_token']);
    expect([second.status, second.body]).toEqual([
      200,
      {
        access_token: issuer.accessTokens[1]?.value,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read',
        refresh_token: issuer.refreshTokens[1]?.value,
      },
    ]);
    expect((await refresh(issuer, second.body['refresh_token'])).status).toBe(200);
    expect(issuer.count({ endpoint: 'token', grantType: 'refresh_token' })).toBe(2);
  });

  it('revokes the whole sign-in if it is used after its replacement', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const first = (await signIn(issuer)).body;
    const second = (await refresh(issuer, first['refresh_token'])).body;
    const stolen = await refresh(issuer, first['refresh_token']);
    expect([stolen.status, stolen.body['error']]).toEqual([400, 'invalid_grant']);
    expect(issuer.findAccessToken(String(second['access_token']))).toBeUndefined();
    expect((await refresh(issuer, second['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  it('does not affect another sign-in', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const [first, other] = [(await signIn(issuer)).body, (await signIn(issuer)).body];
    await refresh(issuer, first['refresh_token']);
    await refresh(issuer, first['refresh_token']);
    expect((await refresh(issuer, other['refresh_token'])).status).toBe(200);
  });

  it('stays the same if the server does not rotate', async () => {
    await using issuer = await startAuthorizationServer({ clients, refreshTokens: 'fixed' });
    const first = (await signIn(issuer)).body;
    const second = await refresh(issuer, first['refresh_token']);
    expect([second.status, 'refresh_token' in second.body]).toEqual([200, false]);
    expect((await refresh(issuer, first['refresh_token'])).status).toBe(200);
  });

  it('is issued never, or only with offline_access, as configured', async () => {
    await using none = await startAuthorizationServer({ clients, refreshTokens: 'none' });
    expect('refresh_token' in (await signIn(none)).body).toBe(false);
    const refreshTokensFor = 'offline-access';
    await using some = await startAuthorizationServer({ clients, refreshTokensFor });
    expect('refresh_token' in (await signIn(some)).body).toBe(false);
    expect('refresh_token' in (await signIn(some, { scope: 'offline_access' })).body).toBe(true);
  });

  it('can ask for fewer scopes, and keeps the rest', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const first = (await signIn(issuer, { scope: 'read write' })).body;
    const fields = { grant_type: 'refresh_token', client_id: 'app' };
    const value = { refresh_token: String(first['refresh_token']) };
    const more = await token(issuer, { ...fields, ...value, scope: 'admin' });
    expect(more.body['error']).toBe('invalid_scope');
    const less = (await token(issuer, { ...fields, ...value, scope: 'read' })).body;
    expect(less['scope']).toBe('read');
    expect((await refresh(issuer, less['refresh_token'])).body['scope']).toBe('read write');
  });

  it('belongs to its client, and expires', async () => {
    const clock = new ManualClock();
    const options = { clients: [app, { id: 'other' }], clock, refreshTokenSeconds: 100 };
    await using issuer = await startAuthorizationServer(options);
    const value = String((await signIn(issuer)).body['refresh_token']);
    const other = { grant_type: 'refresh_token', client_id: 'other', refresh_token: value };
    expect((await token(issuer, other)).body['error']).toBe('invalid_grant');
    await clock.advance(100_000);
    expect((await refresh(issuer, value)).body['error']).toBe('invalid_grant');
  });
});

describe('an access token of the test server', () => {
  it('expires by the clock, or at once on request', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clients, clock, accessTokenSeconds: 5 });
    const first = (await signIn(issuer)).body;
    const isGood = (body: Record<string, unknown>): boolean =>
      issuer.findAccessToken(String(body['access_token'])) !== undefined;
    expect([first['expires_in'], isGood(first)]).toEqual([5, true]);
    await clock.advance(5_000);
    expect(isGood(first)).toBe(false);
    const second = (await refresh(issuer, first['refresh_token'])).body;
    expect(isGood(second)).toBe(true);
    issuer.revokeAccessTokens();
    expect(isGood(second)).toBe(false);
    expect((await refresh(issuer, second['refresh_token'])).status).toBe(200);
    issuer.revokeEverything();
    const last = issuer.refreshTokens.at(-1)?.value;
    expect((await refresh(issuer, last)).body['error']).toBe('invalid_grant');
  });

  it('is revoked at the revocation endpoint, by its owner', async () => {
    await using issuer = await startAuthorizationServer({ clients: [app, { id: 'other' }] });
    const { access_token: accessToken, refresh_token: value } = (await signIn(issuer)).body;
    const revoke = (fields: Record<string, string>) =>
      postForm(endpoint(issuer, 'revocation_endpoint'), { client_id: 'app', ...fields });
    const foreign = await revoke({ token: String(value), client_id: 'other' });
    expect(foreign.body['error']).toBe('invalid_grant');
    expect((await revoke({ token: 'unheard-of' })).status).toBe(200);
    expect(issuer.findAccessToken(String(accessToken))).toBeDefined();
    expect((await revoke({ token: String(value) })).status).toBe(200);
    expect(issuer.findAccessToken(String(accessToken))).toBeUndefined();
    expect((await refresh(issuer, value)).body['error']).toBe('invalid_grant');
  });
});
