import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { endpoint, getJson, request } from './raw-oauth.ts';

const PLACES = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/tenant',
  '/.well-known/openid-configuration/tenant',
  '/tenant/.well-known/openid-configuration',
];

async function found(origin: string): Promise<string[]> {
  const answers = await Promise.all(PLACES.map((place) => request(origin + place)));
  return PLACES.filter((_, index) => answers[index]?.status === 200);
}

describe('the metadata of the test server', () => {
  it('describes all that the server supports', async () => {
    await using issuer = await startAuthorizationServer();
    const { body } = await getJson(issuer.metadataUrl);
    expect(body).toEqual(issuer.metadata);
    expect(body).toMatchObject({
      issuer: issuer.origin,
      authorization_endpoint: `${issuer.origin}/authorize`,
      token_endpoint: `${issuer.origin}/token`,
      registration_endpoint: `${issuer.origin}/register`,
      device_authorization_endpoint: `${issuer.origin}/device_authorization`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('is served at both places of an issuer without a path', async () => {
    await using issuer = await startAuthorizationServer();
    expect(issuer.issuer).toBe(issuer.origin);
    expect(await found(issuer.origin)).toEqual(PLACES.slice(0, 2));
  });

  it('is served at the three places of an issuer with a path, and no other', async () => {
    await using issuer = await startAuthorizationServer({ issuerPath: '/tenant' });
    expect(issuer.issuer).toBe(`${issuer.origin}/tenant`);
    expect(issuer.metadata['token_endpoint']).toBe(`${issuer.origin}/tenant/token`);
    expect(await found(issuer.origin)).toEqual(PLACES.slice(2));
  });

  it('is served only where configured', async () => {
    const options = { issuerPath: '/tenant', discovery: ['oidc-appended'] } as const;
    await using issuer = await startAuthorizationServer({ ...options, metadataPath: '/about' });
    expect(await found(issuer.origin)).toEqual(PLACES.slice(4));
    expect((await getJson(`${issuer.origin}/about`)).body).toEqual(issuer.metadata);
  });

  it('leaves out unsupported features', async () => {
    await using issuer = await startAuthorizationServer({
      registration: 'unsupported',
      clientDocuments: 'unsupported',
      dpop: 'off',
    });
    const gone = [
      'registration_endpoint',
      'client_id_metadata_document_supported',
      'dpop_signing_alg_values_supported',
    ];
    expect(gone.filter((name) => name in issuer.metadata)).toEqual([]);
  });

  it('names the signing key', async () => {
    await using issuer = await startAuthorizationServer();
    const { body } = await getJson(endpoint(issuer, 'jwks_uri'));
    expect(body).toEqual({ keys: issuer.publicKeys });
  });
});

describe('the request log of the test server', () => {
  it('keeps every request as received, expected or not', async () => {
    await using issuer = await startAuthorizationServer();
    await request(`${issuer.origin}/steal?access_token=mine`, {
      method: 'POST',
      headers: { authorization: 'Bearer mine' },
      body: new URLSearchParams({ grant_type: 'theft' }),
    });
    const [only] = issuer.requests;
    expect(only).toMatchObject({
      endpoint: 'unknown',
      method: 'POST',
      path: '/steal?access_token=mine',
      body: 'grant_type=theft',
      parameters: { access_token: 'mine', grant_type: 'theft' },
    });
    expect(only?.headers.authorization).toBe('Bearer mine');
    expect([issuer.count({ grantType: 'theft' }), issuer.count({ method: 'GET' })]).toEqual([1, 0]);
  });

  it('serves and counts documents that a test published', async () => {
    await using issuer = await startAuthorizationServer();
    const address = issuer.publish('/any.json', { any: true });
    expect((await getJson(address)).body).toEqual({ any: true });
    expect(issuer.count({ endpoint: 'published' })).toBe(1);
  });
});
