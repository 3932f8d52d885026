import { describe, expect, it } from 'vitest';
import {
  type Fault,
  HOSTILE_ADDRESSES,
  type Misbehaviour,
} from '../../src/authorization-server/misbehaviour.ts';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import {
  app,
  callback,
  endpoint,
  getJson,
  postForm,
  postJson,
  refresh,
  REDIRECT,
  request,
  signIn,
} from './raw-oauth.ts';

const clients = [app];

function start(misbehaviour: Misbehaviour) {
  return startAuthorizationServer({ clients, misbehaviour });
}

describe('false metadata of the test server', () => {
  it.each(HOSTILE_ADDRESSES)('sends browsers to $name', async ({ address }) => {
    await using issuer = await start({ metadata: { authorization_endpoint: address } });
    const { body } = await getJson(issuer.metadataUrl);
    expect(body['authorization_endpoint']).toBe(address);
  });

  it('names another issuer, another token endpoint, or none', async () => {
    await using thief = await startAuthorizationServer();
    const stolen = { token_endpoint: `${thief.origin}/token` };
    const metadata = { issuer: thief.issuer, ...stolen, registration_endpoint: null };
    await using issuer = await start({ metadata });
    const { body } = await getJson(issuer.metadataUrl);
    expect(body).toMatchObject({ issuer: thief.issuer, ...stolen });
    expect('registration_endpoint' in body).toBe(false);
    await signIn(issuer);
    const [theft] = thief.requests;
    expect(theft?.parameters.code).toBe(issuer.secrets[0]?.value);
  });

  it.each([
    ['absent', undefined],
    ['plain', ['plain']],
  ] as const)('declares PKCE as %s', async (pkceAdvertised, methods) => {
    await using issuer = await start({ pkceAdvertised });
    const { body } = await getJson(issuer.metadataUrl);
    expect(body['code_challenge_methods_supported']).toEqual(methods);
  });
});

describe('a false redirect of the test server', () => {
  it('has no iss, a forged one, or one that only looks the same', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const iss = async (wrong: NonNullable<Misbehaviour['iss']>): Promise<string | undefined> => {
      issuer.misbehave({ iss: wrong });
      return (await callback(issuer))['iss'];
    };
    expect(await iss('missing')).toBeUndefined();
    expect(await iss({ forged: 'https://evil.example' })).toBe('https://evil.example');
    const other = (await iss('normalised')) ?? '';
    expect(other).not.toBe(issuer.issuer);
    expect(new URL(other).href).toBe(new URL(issuer.issuer).href);
  });

  it('has no state, or another one', async () => {
    await using issuer = await start({ state: 'missing' });
    expect((await callback(issuer))['state']).toBeUndefined();
    issuer.misbehave({ state: 'wrong' });
    expect((await callback(issuer))['state']).not.toBe('the-state');
  });

  it('carries an error with text of the server', async () => {
    const authorizationError = { error: 'server_error', description: 'call +1 555 0100' };
    await using issuer = await start({ authorizationError });
    expect(await callback(issuer)).toEqual({
      error: 'server_error',
      error_description: 'call +1 555 0100',
      state: 'the-state',
      iss: issuer.issuer,
    });
  });
});

describe('unusual tokens of the test server', () => {
  it.each<[string, Misbehaviour, Record<string, unknown>]>([
    ['without expires_in', { tokens: { expiresIn: 'missing' } }, { expires_in: undefined }],
    ['with expires_in as text', { tokens: { expiresIn: 'text' } }, { expires_in: '3600' }],
    ['of type bearer in lower case', { tokens: { type: 'bearer' } }, { token_type: 'bearer' }],
    ['of fewer scopes', { tokens: { narrowTo: ['read'] } }, { scope: 'read' }],
    ['without scope', { tokens: { scope: 'missing' } }, { scope: undefined }],
    [
      'with any field',
      { tokens: { fields: { access_token: 'a\r\nX-Evil: 1', refresh_token: null } } },
      { access_token: 'a\r\nX-Evil: 1', refresh_token: undefined },
    ],
  ])('are issued %s', async (_, misbehaviour, fields) => {
    await using issuer = await start(misbehaviour);
    const { body } = await signIn(issuer, { scope: 'read write' });
    const told = Object.keys(fields).map((name) => [name, body[name]]);
    expect(Object.fromEntries(told)).toEqual(fields);
  });

  it('really have fewer scopes', async () => {
    await using issuer = await start({ tokens: { narrowTo: ['read'] } });
    await signIn(issuer, { scope: 'read write' });
    expect(issuer.accessTokens[0]?.grant.scopes).toEqual(['read']);
  });
});

describe('other unusual answers of the test server', () => {
  it('send a device elsewhere, or omit the interval', async () => {
    await using issuer = await start({ device: { verification_uri: 'file:///x', interval: null } });
    const url = endpoint(issuer, 'device_authorization_endpoint');
    const { body } = await postForm(url, { client_id: 'app' });
    expect([body['verification_uri'], 'interval' in body]).toEqual(['file:///x', false]);
  });

  it('register a client without an id', async () => {
    await using issuer = await start({ registration: { client_id: null } });
    const fields = { application_type: 'native', redirect_uris: [REDIRECT] };
    const { body } = await postJson(endpoint(issuer, 'registration_endpoint'), fields);
    expect('client_id' in body).toBe(false);
  });
});

describe('an injected fault of the test server', () => {
  async function outcome(fault: Fault, patience: RequestInit = {}): Promise<unknown> {
    await using issuer = await start({ faults: [fault] });
    try {
      const response = await request(issuer.metadataUrl, patience);
      const [text, type] = [await response.text(), response.headers.get('content-type')];
      return { status: response.status, type, text };
    } catch (thrown) {
      return (thrown as Error).name;
    }
  }

  it.each<[Fault['kind'], Fault, unknown]>([
    ['status', { at: 'metadata', kind: 'status', status: 500 }, { status: 500 }],
    [
      'error',
      { at: 'metadata', kind: 'error', error: 'temporarily_unavailable' },
      { status: 400, text: '{"error":"temporarily_unavailable"}' },
    ],
    ['invalid-json', { at: 'metadata', kind: 'invalid-json' }, { text: '{"issuer": ' }],
    [
      'not-an-object',
      { at: 'metadata', kind: 'not-an-object' },
      { text: '["not", "an", "object"]' },
    ],
    ['html', { at: 'metadata', kind: 'html' }, { status: 200, type: 'text/html; charset=utf-8' }],
    ['redirect', { at: 'metadata', kind: 'redirect', to: 'http://10.0.0.1/' }, { status: 302 }],
  ])('is answered as defined: %s', async (_, fault, expected) => {
    expect(await outcome(fault)).toMatchObject(expected as object);
  });

  it('sends a huge answer', async () => {
    const answer = await outcome({ at: 'metadata', kind: 'huge', bytes: 1_000_000 });
    expect((answer as { text: string }).text.length).toBeGreaterThan(1_000_000);
  });

  it.each<Fault>([
    { at: 'metadata', kind: 'hang' },
    { at: 'metadata', kind: 'stall' },
    { at: 'metadata', kind: 'slow', ms: 60_000 },
  ])('makes the request time out: $kind', async (fault) => {
    const patience = { signal: AbortSignal.timeout(300) };
    expect(await outcome(fault, patience)).toBe('TimeoutError');
  });

  it.each<Fault>([
    { at: 'metadata', kind: 'reset' },
    { at: 'metadata', kind: 'lost-answer' },
  ])('breaks the connection: $kind', async (fault) => {
    expect(await outcome(fault)).toBe('TypeError');
  });

  it('delays a correct answer', async () => {
    await using issuer = await start({ faults: [{ at: 'metadata', kind: 'slow', ms: 20 }] });
    expect((await getJson(issuer.metadataUrl)).body).toEqual(issuer.metadata);
  });

  it('applies to one grant, a given number of times, and can be ended', async () => {
    const fault = { at: 'token', grantType: 'refresh_token', kind: 'status', status: 503 } as const;
    await using issuer = await start({ faults: [{ ...fault, times: 1 }] });
    const value = (await signIn(issuer)).body['refresh_token'];
    expect((await refresh(issuer, value)).status).toBe(503);
    const { body, status } = await refresh(issuer, value);
    expect(status).toBe(200);
    issuer.misbehave({ faults: [fault] });
    expect((await refresh(issuer, body['refresh_token'])).status).toBe(503);
    issuer.misbehave({});
    expect((await refresh(issuer, body['refresh_token'])).status).toBe(200);
  });

  it('loses the answer to a refresh that took place', async () => {
    const fault = { at: 'token', grantType: 'refresh_token', kind: 'lost-answer' } as const;
    await using issuer = await start({ faults: [{ ...fault, times: 1 }] });
    const value = (await signIn(issuer)).body['refresh_token'];
    await expect(refresh(issuer, value)).rejects.toThrow('fetch failed');
    expect(issuer.refreshTokens).toHaveLength(2);
    expect((await refresh(issuer, value)).body['error']).toBe('invalid_grant');
  });
});

describe('every secret of the test server', () => {
  it('is recorded, whichever side made it', async () => {
    const known = { id: 'robot', secret: 'known-secret' };
    await using issuer = await startAuthorizationServer({ clients: [app, known] });
    const first = (await signIn(issuer, { scope: 'openid' })).body;
    const second = (await refresh(issuer, first['refresh_token'])).body;
    const device = await postForm(endpoint(issuer, 'device_authorization_endpoint'), {
      client_id: 'app',
    });
    const registered = await postJson(endpoint(issuer, 'registration_endpoint'), {
      application_type: 'native',
      redirect_uris: [REDIRECT],
    });
    const [{ code, code_verifier: verifier } = {}] = issuer.requests
      .filter((one) => one.endpoint === 'token')
      .map(({ parameters }) => parameters);
    const all = [
      'known-secret',
      code,
      verifier,
      first['access_token'],
      first['refresh_token'],
      first['id_token'],
      second['access_token'],
      second['refresh_token'],
      second['id_token'],
      device.body['device_code'],
      registered.body['client_secret'],
    ];
    expect(new Set(issuer.everySecret())).toEqual(new Set(all));
  });
});
