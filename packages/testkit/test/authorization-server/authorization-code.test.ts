import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { readJwt } from '../../src/authorization-server/jwt.ts';
import { ManualClock } from '../../src/manual-clock.ts';
import {
  app,
  authorizationUrl,
  callback,
  pkce,
  redeem,
  REDIRECT,
  refresh,
  request,
  signIn,
  token,
} from './raw-oauth.ts';

const clients = [app];
const resource = 'https://mcp.example/mcp';

describe('an authorization code of the test server', () => {
  it('is exchanged for tokens of the approved resource, account and scopes', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const proof = pkce();
    const { code, ...rest } = await callback(issuer, { resource, scope: 'read write' }, proof);
    expect(rest).toEqual({ state: 'the-state', iss: issuer.issuer });
    const answer = await token(issuer, { ...redeem(code!, proof), resource });
    const [accessToken] = issuer.accessTokens;
    const [refreshToken] = issuer.refreshTokens;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access_token: accessToken?.value,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read write',
        refresh_token: refreshToken?.value,
      },
    ]);
    expect(issuer.findAccessToken(String(answer.body['access_token']))?.grant).toEqual({
      clientId: 'app',
      subject: 'alice',
      scopes: ['read', 'write'],
      resource,
    });
  });

  it('is valid once; a second use revokes the tokens of the first', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const proof = pkce();
    const { code } = await callback(issuer, {}, proof);
    const { body } = await token(issuer, redeem(code!, proof));
    const again = await token(issuer, redeem(code!, proof));
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant']);
    expect(issuer.findAccessToken(String(body['access_token']))).toBeUndefined();
    expect((await refresh(issuer, body['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  it('expires', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clients, clock, codeSeconds: 10 });
    const proof = pkce();
    const { code } = await callback(issuer, {}, proof);
    await clock.advance(10_000);
    expect((await token(issuer, redeem(code!, proof))).body['error_description']).toBe(
      'the code expired',
    );
  });

  it.each([
    ['another verifier', { code_verifier: 'wrong' }],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['another client', { client_id: 'other' }],
  ])('is refused with %s', async (_, wrong) => {
    const other = { ...app, id: 'other' };
    await using issuer = await startAuthorizationServer({ clients: [app, other] });
    const proof = pkce();
    const { code } = await callback(issuer, {}, proof);
    const answer = await token(issuer, { ...redeem(code!, proof), ...wrong });
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('is refused for another resource', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const proof = pkce();
    const { code } = await callback(issuer, { resource }, proof);
    const elsewhere = { ...redeem(code!, proof), resource: 'https://other.example/' };
    expect((await token(issuer, elsewhere)).body['error']).toBe('invalid_target');
  });

  it.each([
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a resource with a fragment', { resource: 'https://x.example/#a' }, 'invalid_target'],
    ['an unknown scope', { scope: 'root' }, 'invalid_scope'],
  ])('is not issued to a request with %s', async (_, wrong, error) => {
    await using issuer = await startAuthorizationServer({ clients });
    const answer = await callback(issuer, wrong);
    expect(answer).toEqual({
      error,
      ...(answer['error_description'] && { error_description: answer['error_description'] }),
      state: 'the-state',
      iss: issuer.issuer,
    });
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an address that the client did not register', { redirect_uri: 'https://evil.example/' }],
  ])('is not sent to any address for %s', async (_, wrong) => {
    await using issuer = await startAuthorizationServer({ clients });
    const response = await request(authorizationUrl(issuer, pkce().challenge, wrong));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it('goes to any port of a loopback address', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const redirectUri = REDIRECT.replace('7777', '41234');
    const url = authorizationUrl(issuer, pkce().challenge, { redirect_uri: redirectUri });
    expect((await issuer.browse(url)).startsWith(`${redirectUri}?code=`)).toBe(true);
  });

  it('is issued without PKCE only if the server allows that', async () => {
    await using issuer = await startAuthorizationServer({ clients, pkce: 'optional' });
    const none = { code_challenge: '', code_challenge_method: '' };
    expect(Object.keys(await callback(issuer, none))).toEqual(['code', 'state', 'iss']);
  });

  it('yields an id token with the scope openid', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const { body } = await signIn(issuer, { scope: 'openid', nonce: 'n-1' });
    const claims = readJwt(String(body['id_token']))?.claims;
    const [iss, aud, sub, nonce] = [issuer.issuer, 'app', 'alice', 'n-1'];
    expect(claims).toMatchObject({ iss, aud, sub, nonce });
  });
});

describe('the consent page', () => {
  it('uses the signed-in account as the subject', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await signIn(issuer);
    issuer.signIn('bob');
    await signIn(issuer);
    expect(issuer.accessTokens.map(({ grant }) => grant.subject)).toEqual(['alice', 'bob']);
  });

  it('asks, and either button sends the browser back', async () => {
    await using issuer = await startAuthorizationServer({ clients, approval: 'page' });
    const press = async (decision: string): Promise<string[]> => {
      const shown = await request(authorizationUrl(issuer, pkce().challenge, { scope: 'read' }));
      const page = await shown.text();
      expect(page).toContain('<h1>Allow app?</h1>');
      const field = (pattern: RegExp): string => pattern.exec(page)![1]!;
      const body = new URLSearchParams({ decision, ticket: field(/name="ticket" value="(.+?)"/) });
      const pressed = await request(field(/action="(.+?)"/), { method: 'POST', body });
      const again = await request(field(/action="(.+?)"/), { method: 'POST', body });
      expect([pressed.status, again.status]).toEqual([302, 400]);
      return [...new URL(pressed.headers.get('location')!).searchParams.keys()];
    };
    expect(await press('allow')).toEqual(['code', 'state', 'iss']);
    expect(await press('deny')).toEqual(['error', 'error_description', 'state', 'iss']);
  });

  it('can be configured to decline', async () => {
    await using issuer = await startAuthorizationServer({ clients, approval: 'denied' });
    expect((await callback(issuer))['error']).toBe('access_denied');
    issuer.answerWith('automatic');
    expect((await callback(issuer))['error']).toBeUndefined();
  });
});
