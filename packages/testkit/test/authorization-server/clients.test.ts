import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import type { AuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { ManualClock } from '../../src/manual-clock.ts';
import {
  app,
  assertionOf,
  callback,
  createSigner,
  endpoint,
  type Fields,
  pkce,
  postJson,
  redeem,
  REDIRECT,
  refresh,
  signIn,
  token,
} from './raw-oauth.ts';

function register(issuer: AuthorizationServer, fields: object) {
  return postJson(endpoint(issuer, 'registration_endpoint'), fields);
}

const native = {
  client_name: 'App',
  application_type: 'native',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

describe('client registration at the test server', () => {
  it('creates a client that can sign in', async () => {
    await using issuer = await startAuthorizationServer();
    const { status, body } = await register(issuer, native);
    expect([status, body]).toMatchObject([201, native]);
    expect('client_secret' in body).toBe(false);
    const proof = pkce();
    const id = { client_id: String(body['client_id']) };
    const { code } = await callback(issuer, id, proof);
    expect((await token(issuer, { ...redeem(code!, proof), ...id })).status).toBe(200);
    expect(issuer.clients).toMatchObject([{ registeredBy: 'itself', applicationType: 'native' }]);
  });

  it.each([
    ['a web application on this machine', { ...native, application_type: undefined }],
    ['a native one on the web without https', { ...native, redirect_uris: ['http://x.example/'] }],
    ['one that cannot be sent back', { ...native, redirect_uris: [] }],
  ])('refuses %s', async (_, fields) => {
    await using issuer = await startAuthorizationServer();
    const { status, body } = await register(issuer, fields);
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('is refused or unsupported, as configured', async () => {
    await using refusing = await startAuthorizationServer({ registration: 'refused' });
    expect((await register(refusing, native)).status).toBe(403);
    await using without = await startAuthorizationServer({ registration: 'unsupported' });
    expect((await postJson(`${without.issuer}/register`, native)).status).toBe(404);
  });

  it('issues a secret that can expire, and lets a client be forgotten', async () => {
    const clock = new ManualClock();
    await using issuer = await startAuthorizationServer({ clock, clientSecretSeconds: 60 });
    const grantTypes = ['client_credentials'];
    const fields = { grant_types: grantTypes, token_endpoint_auth_method: 'client_secret_post' };
    const { body } = await register(issuer, fields);
    expect(body['client_secret_expires_at']).toBe(clock.now() / 1000 + 60);
    const ask = async (): Promise<number> => {
      const id = { client_id: String(body['client_id']) };
      const secret = { client_secret: String(body['client_secret']) };
      return (await token(issuer, { grant_type: 'client_credentials', ...id, ...secret })).status;
    };
    expect(await ask()).toBe(200);
    await clock.advance(60_000);
    expect(await ask()).toBe(401);
    issuer.forgetClient(String(body['client_id']));
    expect(issuer.clients).toEqual([]);
  });

  it('limits a client to the grants it registered for', async () => {
    await using issuer = await startAuthorizationServer();
    const { body } = await register(issuer, { ...native, grant_types: ['authorization_code'] });
    const id = { client_id: String(body['client_id']) };
    const answer = await token(issuer, { grant_type: 'refresh_token', refresh_token: 'x', ...id });
    expect(answer.body['error']).toBe('unauthorized_client');
  });
});

describe('a client whose id is a URL', () => {
  const id = 'https://app.example/client.json';
  const document = { client_id: id, client_name: 'App', redirect_uris: [REDIRECT] };

  it('signs in with the given document', async () => {
    await using issuer = await startAuthorizationServer({ givenDocuments: [document] });
    expect(Object.keys(await callback(issuer, { client_id: id }))).toEqual([
      'code',
      'state',
      'iss',
    ]);
  });

  it('signs in with the fetched document, if the document names it', async () => {
    await using issuer = await startAuthorizationServer();
    await using elsewhere = await startAuthorizationServer();
    const address = `${elsewhere.origin}/client.json`;
    elsewhere.publish('/client.json', { ...document, client_id: address });
    expect((await callback(issuer, { client_id: address }))['code']).toBeDefined();
    elsewhere.publish('/client.json', document);
    await expect(callback(issuer, { client_id: address })).rejects.toMatchObject({
      code: 'no-redirect',
    });
    expect(elsewhere.count({ endpoint: 'published' })).toBe(2);
  });

  it('is unknown if documents are unsupported or missing', async () => {
    const options = { givenDocuments: [document], clientDocuments: 'unsupported' } as const;
    await using without = await startAuthorizationServer(options);
    await expect(callback(without, { client_id: id })).rejects.toMatchObject({
      data: { status: 400 },
    });
    await using issuer = await startAuthorizationServer();
    const missing = { client_id: `${issuer.origin}/nothing-here` };
    await expect(callback(issuer, missing)).rejects.toMatchObject({ data: { status: 400 } });
  });
});

describe('client authentication at the test server', () => {
  const signer = createSigner();
  const basicOf = (id: string, secret: string): Fields => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const clients = [
    app,
    { id: 'basic', secret: 's%26cret' },
    { id: 'post', secret: 's3cret', authentication: 'client_secret_post' },
    { id: 'key', keys: [signer.publicKey] },
  ] as const;
  const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const keyFields = (assertion: string): Fields => ({
    client_assertion_type: assertionType,
    client_assertion: assertion,
  });

  async function ask(issuer: AuthorizationServer, fields: Fields, headers: Fields = {}) {
    const answer = await token(issuer, { grant_type: 'client_credentials', ...fields }, headers);
    return [answer.status, answer.body['error']];
  }

  it('accepts the secret in the header, form-encoded, or in the body, as registered', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    expect(await ask(issuer, {}, basicOf('basic', 's%2526cret'))).toEqual([200, undefined]);
    expect(await ask(issuer, { client_id: 'post', client_secret: 's3cret' })).toEqual([
      200,
      undefined,
    ]);
    const refused = [401, 'invalid_client'];
    expect(await ask(issuer, {}, basicOf('basic', 'wrong'))).toEqual(refused);
    expect(await ask(issuer, {}, basicOf('post', 's3cret'))).toEqual(refused);
    expect(await ask(issuer, { client_id: 'basic' })).toEqual(refused);
    expect(await ask(issuer, {})).toEqual(refused);
  });

  it('accepts an assertion of the client, once', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const claims = { issuer: 'key', subject: 'key', audience: issuer.issuer };
    const good = assertionOf(signer, claims);
    expect(await ask(issuer, keyFields(good))).toEqual([200, undefined]);
    const refused = [401, 'invalid_client'];
    expect(await ask(issuer, keyFields(good))).toEqual(refused);
    const wrong = [
      assertionOf(createSigner(), claims),
      assertionOf(signer, { ...claims, issuer: 'someone' }),
      assertionOf(signer, { ...claims, audience: 'https://other.example' }),
      assertionOf(signer, { ...claims, lifetimeSeconds: -1 }),
    ];
    for (const assertion of wrong) {
      expect(await ask(issuer, keyFields(assertion))).toEqual(refused);
    }
  });

  it('issues no machine token to a client without a secret', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    expect(await ask(issuer, { client_id: 'app' })).toEqual([400, 'unauthorized_client']);
  });

  it('answers a forgotten client like an unknown one', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const { body } = await signIn(issuer);
    issuer.forgetClient('app');
    const answer = await refresh(issuer, body['refresh_token']);
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
  });
});
