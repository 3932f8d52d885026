import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { startProtectedServer } from '../../src/authorization-server/start-protected-server.ts';
import {
  app,
  callback,
  createSigner,
  dpopProof,
  endpoint,
  initialize,
  pkce,
  type ProofOptions,
  redeem,
  refresh,
  token,
} from './raw-oauth.ts';

const clients = [app];

describe('a DPoP proof at the token endpoint', () => {
  const signer = createSigner();

  it('binds the tokens to its key', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const url = endpoint(issuer, 'token_endpoint');
    const pair = pkce();
    const { code } = await callback(issuer, {}, pair);
    const { body } = await token(issuer, redeem(code!, pair), { dpop: dpopProof(signer, { url }) });
    expect(body['token_type']).toBe('DPoP');
    expect(issuer.accessTokens[0]?.grant.keyThumbprint).toBe(signer.keyId);
    const value = body['refresh_token'];
    const stranger = dpopProof(createSigner(), { url });
    expect((await refresh(issuer, value, { dpop: stranger })).body['error']).toBe('invalid_grant');
    expect((await refresh(issuer, value)).body['error']).toBe('invalid_grant');
    const own = dpopProof(signer, { url });
    expect((await refresh(issuer, value, { dpop: own })).body['token_type']).toBe('DPoP');
  });

  it('can be required, with a nonce', async () => {
    const options = { clients, dpop: 'required', dpopNonce: 'required' } as const;
    await using issuer = await startAuthorizationServer(options);
    const url = endpoint(issuer, 'token_endpoint');
    const ask = async (dpop: string | undefined) => {
      const pair = pkce();
      const { code } = await callback(issuer, {}, pair);
      return token(issuer, redeem(code!, pair), dpop === undefined ? {} : { dpop });
    };
    expect((await ask(undefined)).body['error']).toBe('invalid_dpop_proof');
    const first = await ask(dpopProof(signer, { url }));
    expect([first.status, first.body['error']]).toEqual([400, 'use_dpop_nonce']);
    const nonce = first.headers.get('dpop-nonce') ?? '';
    expect((await ask(dpopProof(signer, { url, nonce }))).status).toBe(200);
    issuer.rotateDpopNonce();
    const stale = await ask(dpopProof(signer, { url, nonce }));
    expect(stale.body['error']).toBe('use_dpop_nonce');
    expect(stale.headers.get('dpop-nonce')).not.toBe(nonce);
  });

  it.each([
    ['another method', { method: 'GET' }],
    ['another address', { url: 'https://other.example/token' }],
    ['another time', { seconds: 1_000_000 }],
    ['no id', { id: '' }],
  ] as const)('is refused for %s', async (_, wrong: Partial<ProofOptions>) => {
    await using issuer = await startAuthorizationServer({ clients });
    const url = endpoint(issuer, 'token_endpoint');
    const pair = pkce();
    const { code } = await callback(issuer, {}, pair);
    const dpop = dpopProof(signer, { url, ...wrong });
    const { body } = await token(issuer, redeem(code!, pair), { dpop });
    expect(body['error']).toBe('invalid_dpop_proof');
  });

  it('is valid once', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const url = endpoint(issuer, 'token_endpoint');
    const dpop = dpopProof(signer, { url });
    const ask = async () => {
      const pair = pkce();
      const { code } = await callback(issuer, {}, pair);
      return (await token(issuer, redeem(code!, pair), { dpop })).status;
    };
    expect([await ask(), await ask()]).toEqual([200, 400]);
  });

  it('must use the key that the sign-in named', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const url = endpoint(issuer, 'token_endpoint');
    const pair = pkce();
    const { code } = await callback(issuer, { dpop_jkt: createSigner().keyId }, pair);
    const dpop = dpopProof(signer, { url });
    const { body } = await token(issuer, redeem(code!, pair), { dpop });
    expect(body['error_description']).toBe('the code is bound to another key');
  });
});

describe('a DPoP proof at a protected server', () => {
  const signer = createSigner();

  async function bound(issuer: Awaited<ReturnType<typeof startAuthorizationServer>>, to: string) {
    const pair = pkce();
    const { code } = await callback(issuer, { resource: to }, pair);
    const dpop = dpopProof(signer, { url: endpoint(issuer, 'token_endpoint') });
    const { body } = await token(issuer, redeem(code!, pair), { dpop });
    return String(body['access_token']);
  }

  it('accompanies a bound token, and matches both token and request', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer });
    const { url } = server;
    const accessToken = await bound(issuer, url);
    const authorization = `DPoP ${accessToken}`;
    const dpop = dpopProof(signer, { url, accessToken });
    expect((await initialize(url, { authorization, dpop })).status).toBe(200);
    const wrong = [
      { authorization, dpop },
      { authorization },
      { authorization: `Bearer ${accessToken}` },
      { authorization, dpop: dpopProof(signer, { url, accessToken: 'other' }) },
      { authorization, dpop: dpopProof(signer, { url }) },
      { authorization, dpop: dpopProof(createSigner(), { url, accessToken }) },
    ];
    for (const headers of wrong) expect((await initialize(url, headers)).status).toBe(401);
  });

  it('needs the nonce of that server', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const options = { issuer, dpop: 'required', dpopNonce: 'required' } as const;
    await using server = await startProtectedServer(options);
    const { url } = server;
    expect((await initialize(url)).headers.get('www-authenticate')).toContain('DPoP ');
    const accessToken = await bound(issuer, url);
    const ask = (nonce?: string) => {
      const dpop = dpopProof(signer, { url, accessToken, nonce });
      return initialize(url, { authorization: `DPoP ${accessToken}`, dpop });
    };
    const first = await ask();
    expect([first.status, first.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('DPoP error="use_dpop_nonce"') as string,
    ]);
    const nonce = first.headers.get('dpop-nonce') ?? '';
    expect((await ask(nonce)).status).toBe(200);
    server.rotateDpopNonce();
    expect((await ask(nonce)).status).toBe(401);
  });
});
