import { describe, expect, it } from 'vitest';
import { readJwt } from '../../src/authorization-server/jwt.ts';
import { GRANT_TYPES } from '../../src/authorization-server/metadata.ts';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import type { AuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { app, assertionOf, createSigner, type Fields, signIn, token } from './raw-oauth.ts';

const resource = 'https://mcp.example/mcp';

describe('the client credentials grant', () => {
  it('yields a token for the resource and no refresh token', async () => {
    const clients = [{ id: 'robot', secret: 's', authentication: 'client_secret_post' }] as const;
    await using issuer = await startAuthorizationServer({ clients });
    const who = { client_id: 'robot', client_secret: 's' };
    const asked = { grant_type: 'client_credentials', resource, scope: 'read' };
    const { body } = await token(issuer, { ...asked, ...who });
    expect('refresh_token' in body).toBe(false);
    const scopes = ['read'];
    expect(issuer.accessTokens.map(({ grant }) => grant)).toEqual([
      { clientId: 'robot', subject: 'robot', scopes, resource },
    ]);
  });
});

describe('a workload', () => {
  const platform = createSigner();
  const issuerOfWorkloads = 'https://platform.example';
  const trusts = [{ issuer: issuerOfWorkloads, publicKeys: [platform.publicKey] }];
  const claims = { issuer: issuerOfWorkloads, subject: 'job-7' };

  function ask(issuer: AuthorizationServer, assertion: string) {
    return token(issuer, { grant_type: GRANT_TYPES.jwtBearer, assertion, resource });
  }

  it('receives a token for the assertion of a trusted platform', async () => {
    await using issuer = await startAuthorizationServer({ trusts });
    const assertion = assertionOf(platform, { ...claims, audience: issuer.issuer });
    expect((await ask(issuer, assertion)).status).toBe(200);
    expect(issuer.accessTokens[0]?.grant).toMatchObject({ subject: 'job-7', resource });
    expect((await ask(issuer, assertion)).body['error_description']).toBe(
      'the assertion was used before',
    );
  });

  it('receives none for a wrong assertion', async () => {
    await using issuer = await startAuthorizationServer({ trusts });
    const good = { ...claims, audience: issuer.issuer };
    const wrong = [
      assertionOf(createSigner(), good),
      assertionOf(platform, { ...good, issuer: 'https://someone.example' }),
      assertionOf(platform, { ...good, audience: 'https://other.example' }),
      assertionOf(platform, { ...good, lifetimeSeconds: -1 }),
      'no assertion',
    ];
    for (const assertion of wrong) {
      expect((await ask(issuer, assertion)).body['error']).toBe('invalid_grant');
    }
  });
});

describe('Cross-App Access', () => {
  const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
  const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
  const clients = [
    { id: 'there', secret: 's', authentication: 'client_secret_post' },
    { id: 'thief', secret: 't', authentication: 'client_secret_post' },
  ] as const;

  function exchange(provider: AuthorizationServer, fields: Fields) {
    return token(provider, {
      grant_type: GRANT_TYPES.tokenExchange,
      requested_token_type: ID_JAG,
      subject_token_type: ID_TOKEN,
      client_id: 'app',
      ...fields,
    });
  }

  it('turns one sign-in into a token at a server that trusts the provider', async () => {
    await using provider = await startAuthorizationServer({
      clients: [{ ...app, idElsewhere: 'there' }],
    });
    await using issuer = await startAuthorizationServer({ clients, trusts: [provider] });
    const signedIn = (await signIn(provider, { scope: 'openid' })).body;
    const { body } = await exchange(provider, {
      subject_token: String(signedIn['id_token']),
      audience: issuer.issuer,
      resource,
      scope: 'read',
    });
    const assertion = String(body['access_token']);
    expect(body).toEqual({
      issued_token_type: ID_JAG,
      access_token: assertion,
      token_type: 'N_A',
      expires_in: 300,
      scope: 'read',
    });
    expect(readJwt(assertion)).toMatchObject({
      header: { typ: 'oauth-id-jag+jwt' },
      claims: { iss: provider.issuer, aud: issuer.issuer, client_id: 'there', resource },
    });
    const bearer = { grant_type: GRANT_TYPES.jwtBearer, assertion };
    const stolen = await token(issuer, { ...bearer, client_id: 'thief', client_secret: 't' });
    expect(stolen.body['error']).toBe('invalid_grant');
    const who = { client_id: 'there', client_secret: 's' };
    expect((await token(issuer, { ...bearer, ...who })).status).toBe(200);
    expect(issuer.accessTokens.map(({ grant }) => grant)).toEqual([
      { clientId: 'there', subject: 'alice', scopes: ['read'], resource },
    ]);
  });

  it('exchanges only a valid id token of the same client', async () => {
    await using provider = await startAuthorizationServer({ clients: [app, { id: 'other' }] });
    const signedIn = (await signIn(provider, { scope: 'openid' })).body;
    const good = { subject_token: String(signedIn['id_token']), audience: 'https://as.example' };
    const errorOf = async (fields: Fields): Promise<unknown> =>
      (await exchange(provider, { ...good, ...fields })).body['error'];
    expect(await errorOf({})).toBeUndefined();
    expect(await errorOf({ subject_token: 'a.b.c' })).toBe('invalid_grant');
    expect(await errorOf({ client_id: 'other' })).toBe('invalid_grant');
    expect(await errorOf({ subject_token_type: 'something' })).toBe('invalid_request');
  });
});
