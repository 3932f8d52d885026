import { err, never, ok, type Result, silentLogger } from '@plugboard/base';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  createSigner,
  GRANT_TYPES,
  HOSTILE_ADDRESSES,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/auth/credential.ts';
import { deviceSignIn } from '../../src/auth/device-sign-in.ts';
import { type DevicePrompt, memoryCredentials } from '../../src/auth/index.ts';
import { readOAuthSettings } from '../../src/auth/oauth-settings.ts';
import type { AuthorizationPorts } from '../../src/auth/ports.ts';
import {
  type AuthorizationProblem,
  discoverAuthorization,
  dpopKey,
} from '../../src/protocol/index.ts';
import { refusalsInMemory } from '../../src/auth/refusals-in-memory.ts';
import { Renewals } from '../../src/auth/renewals.ts';
import { PacedClock } from './paced-clock.ts';
import { plainFetch } from './plain-fetch.ts';

interface Stage extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly clock: PacedClock;
  readonly ports: AuthorizationPorts;
  readonly prompts: readonly DevicePrompt[];
  begin(wish?: Wish): Promise<Result<Credential, AuthorizationProblem>>;
  /** The polls for the entered code. */
  polls(): number;
}

interface Wish {
  readonly oauth?: Readonly<Record<string, unknown>>;
  readonly scope?: string;
  readonly dpop?: 'wanted';
  readonly signal?: AbortSignal;
  readonly show?: (prompt: DevicePrompt) => void;
}

async function stage(options: AuthorizationServerOptions = {}): Promise<Stage> {
  const clock = new PacedClock();
  const issuer = await startAuthorizationServer({ clock, ...options });
  const server = await startProtectedServer({ issuer, clock });
  const prompts: DevicePrompt[] = [];
  const ports: AuthorizationPorts = {
    store: memoryCredentials(),
    refusals: refusalsInMemory(clock),
    renewals: new Renewals(),
    fetch: plainFetch(),
    providerFetch: plainFetch(),
    clock,
    logger: silentLogger,
    browser: undefined,
    clientMetadataUrl: undefined,
    clientName: 'plugboard',
    ending: never,
  };
  const begin: Stage['begin'] = async (wish = {}) => {
    const found = await discoverAuthorization(server.url, { fetch: ports.fetch });
    const settings = readOAuthSettings(wish.oauth);
    if (!found.ok) return found;
    if (!settings.ok) throw new Error(settings.error);
    const terms = {
      server: found.value,
      settings: settings.value,
      scope: wish.scope,
      dpop: wish.dpop === undefined ? undefined : await dpopKey(),
      show: (prompt: DevicePrompt) => {
        prompts.push(prompt);
        wish.show?.(prompt);
      },
      signal: wish.signal ?? never,
    };
    return deviceSignIn(terms, ports);
  };
  return {
    ...{ issuer, server, clock, ports, prompts, begin },
    polls: () => issuer.count({ endpoint: 'token', grantType: GRANT_TYPES.deviceCode }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await issuer.close();
    },
  };
}

function approving(issuer: () => AuthorizationServer): (prompt: DevicePrompt) => void {
  return ({ userCode }) => issuer().approveDevice(userCode);
}

describe('the device sign-in', () => {
  it('shows the page, the code and its expiry, and stores the result under its full key', async () => {
    verifies('AUT-04');
    await using at = await stage();
    const signingIn = at.begin({ scope: 'read', show: approving(() => at.issuer) });
    expect(await at.clock.pass(1)).toBe(5000);
    const got = await signingIn;

    const page = `${at.issuer.origin}/device`;
    const [prompt] = at.prompts;
    const userCode = prompt?.userCode ?? '';
    expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(at.prompts).toEqual([
      {
        verificationUrl: new URL(page),
        completeUrl: new URL(`${page}?user_code=${userCode}`),
        userCode,
        expiresAt: at.clock.now() - 5000 + 600_000,
      },
    ]);
    const [token] = at.issuer.accessTokens;
    const [client] = at.issuer.clients;
    expect(got).toEqual(
      ok({
        issuer: at.issuer.issuer,
        client: client?.id,
        account: 'default',
        resource: at.server.url,
        accessToken: token?.value,
        kind: 'bearer',
        refreshToken: at.issuer.refreshTokens[0]?.value,
        expiresAt: at.clock.now() + 3_600_000,
        obtainedAt: at.clock.now(),
        scope: 'read',
        requestedScope: 'read',
        registered: { id: client?.id, authMethod: 'none' },
      }),
    );
    expect(token?.grant.resource).toBe(at.server.url);
    expect(await at.ports.store.credentials.list()).toEqual(ok([got.ok ? got.value : undefined]));
  });

  it('sends the resource with both requests, and the scope with the first', async () => {
    await using at = await stage({ resourceIndicator: 'required' });
    const signingIn = at.begin({ scope: 'read write', show: approving(() => at.issuer) });
    await at.clock.pass(1);
    expect((await signingIn).ok).toBe(true);
    const asked = at.issuer.requests.filter(({ endpoint }) =>
      ['device-authorization', 'token'].includes(endpoint),
    );
    const clientId = at.issuer.clients[0]?.id;
    expect(asked.map(({ parameters }) => parameters)).toEqual([
      { client_id: clientId, scope: 'read write', resource: at.server.url },
      {
        client_id: clientId,
        grant_type: GRANT_TYPES.deviceCode,
        device_code: expect.any(String),
        resource: at.server.url,
      },
    ]);
  });

  it('polls at the interval until the code has been entered', async () => {
    await using at = await stage({ deviceIntervalSeconds: 7 });
    const signingIn = at.begin();
    for (const pause of [1, 2, 3]) await at.clock.pass(pause);
    await at.clock.begun(4);
    at.issuer.approveDevice(at.prompts[0]?.userCode ?? '');
    await at.clock.pass(4);
    expect((await signingIn).ok).toBe(true);
    expect(at.clock.pauses).toEqual([7000, 7000, 7000, 7000]);
    expect(at.polls()).toBe(4);
  });

  it('polls five seconds slower each time that the server says slow_down', async () => {
    await using at = await stage();
    at.issuer.misbehave({ faults: [{ at: 'token', kind: 'error', error: 'slow_down', times: 2 }] });
    const signingIn = at.begin();
    for (const pause of [1, 2, 3]) await at.clock.pass(pause);
    await at.clock.begun(4);
    at.issuer.approveDevice(at.prompts[0]?.userCode ?? '');
    await at.clock.pass(4);
    expect((await signingIn).ok).toBe(true);
    expect(at.clock.pauses).toEqual([5000, 10_000, 15_000, 15_000]);
  });

  it.each([
    { name: 'none', interval: null, pause: 5000 },
    { name: 'zero', interval: 0, pause: 1000 },
    { name: 'less than zero', interval: -3, pause: 1000 },
    { name: 'a thousand million', interval: 1e9, pause: 60_000 },
    { name: 'a number as text', interval: '8', pause: 8000 },
    { name: 'no number', interval: 'soon', pause: 5000 },
  ])('uses a sensible interval for $name', async ({ interval, pause }) => {
    await using at = await stage();
    at.issuer.misbehave({ device: { interval } });
    const signingIn = at.begin({ show: approving(() => at.issuer) });
    expect(await at.clock.pass(1)).toBe(pause);
    expect((await signingIn).ok).toBe(true);
  });

  it.each([
    { name: 'nothing', lifetime: null, seconds: 600 },
    { name: 'a century', lifetime: 3_000_000_000, seconds: 1800 },
    { name: 'a number as text', lifetime: '900', seconds: 900 },
  ])('waits within bounds if the stated lifetime is $name', async ({ lifetime, seconds }) => {
    await using at = await stage();
    at.issuer.misbehave({ device: { expires_in: lifetime } });
    const begun = at.clock.now();
    const signingIn = at.begin({ show: approving(() => at.issuer) });
    await at.clock.pass(1);
    await signingIn;
    expect(at.prompts[0]?.expiresAt).toBe(begun + seconds * 1000);
  });

  it('reports the code as expired, by the answer of the server or by its own clock', async () => {
    await using at = await stage({ deviceCodeSeconds: 8, deviceIntervalSeconds: 5 });
    const expired = err({ kind: 'device-expired', issuer: at.issuer.issuer });
    const first = at.begin();
    await at.clock.pass(1);
    await at.clock.pass(2);
    expect(await first).toEqual(expired);
    expect(at.clock.pauses).toEqual([5000, 3000]);

    // It states a longer lifetime than it honours.
    at.issuer.misbehave({ device: { expires_in: 600 } });
    const second = at.begin();
    await at.clock.pass(3);
    await at.clock.pass(4);
    expect(await second).toEqual(expired);
    expect(at.polls()).toBe(4);
  });

  it('ends when the person declines', async () => {
    await using at = await stage();
    const signingIn = at.begin({ show: ({ userCode }) => at.issuer.denyDevice(userCode) });
    await at.clock.pass(1);
    expect(await signingIn).toEqual(
      err({ kind: 'denied', issuer: at.issuer.issuer, error: 'access_denied' }),
    );
    expect(await at.ports.store.credentials.list()).toEqual(ok([]));
  });

  it('ends when its caller aborts, and polls no more', async () => {
    await using at = await stage();
    const giving = new AbortController();
    const signingIn = at.begin({ signal: giving.signal });
    await at.clock.pass(1);
    giving.abort();
    expect(await signingIn).toEqual(err({ kind: 'not-signed-in', reason: 'cancelled' }));
    expect(at.clock.pending).toBe(0);
  });
});

describe('a server that fails during a device sign-in', () => {
  it.each([
    { name: 'a cut connection', fault: { kind: 'reset' } },
    { name: 'an error of its own', fault: { kind: 'status', status: 503 } },
    { name: 'a web page', fault: { kind: 'html' } },
  ] as const)('is polled at growing intervals after $name', async ({ fault }) => {
    await using at = await stage();
    at.issuer.misbehave({
      faults: [{ at: 'token', grantType: GRANT_TYPES.deviceCode, times: 2, ...fault }],
    });
    const signingIn = at.begin({ show: approving(() => at.issuer) });
    for (const pause of [1, 2, 3]) await at.clock.pass(pause);
    expect((await signingIn).ok).toBe(true);
    expect(at.clock.pauses).toEqual([5000, 10_000, 20_000]);
  });

  it('is not polled longer than the code is valid, and is named as the reason', async () => {
    await using at = await stage({ deviceCodeSeconds: 150 });
    at.issuer.misbehave({
      faults: [{ at: 'token', kind: 'status', status: 500 }],
    });
    const signingIn = at.begin({ show: approving(() => at.issuer) });
    for (const pause of [1, 2, 3, 4, 5, 6]) await at.clock.pass(pause);
    expect(await signingIn).toEqual(
      err({ kind: 'denied', issuer: at.issuer.issuer, error: 'server_error' }),
    );
    expect(at.clock.pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 15_000]);
  });

  it('is reported if the answer with the tokens was lost, since the code is used up', async () => {
    await using at = await stage();
    at.issuer.misbehave({ faults: [{ at: 'token', kind: 'lost-answer', times: 1 }] });
    const signingIn = at.begin({ show: approving(() => at.issuer) });
    await at.clock.pass(1);
    await at.clock.pass(2);
    expect(await signingIn).toEqual(
      err({ kind: 'denied', issuer: at.issuer.issuer, error: 'invalid_grant' }),
    );
  });
});

describe('a hostile answer in a device sign-in', () => {
  verifies('AUT-11');

  // Any https address is allowed: the browser and the user judge the page.
  it.each(HOSTILE_ADDRESSES.filter(({ address }) => !/^https:\/\/[^@]*$/.test(address)))(
    'does not send the person to $name',
    async ({ address }) => {
      await using at = await stage();
      for (const field of ['verification_uri', 'verification_uri_complete']) {
        at.issuer.misbehave({ device: { [field]: address } });
        expect(await at.begin()).toEqual(err({ kind: 'unsafe-address', field }));
      }
      expect(at.prompts).toEqual([]);
      expect(at.polls()).toBe(0);
    },
  );

  it('does not send the person to an endless address', async () => {
    await using at = await stage();
    at.issuer.misbehave({ device: { verification_uri: `https://a.example/${'x'.repeat(3000)}` } });
    expect(await at.begin()).toEqual(err({ kind: 'unsafe-address', field: 'verification_uri' }));
  });

  it('shows no control characters', async () => {
    await using at = await stage();
    at.issuer.misbehave({ device: { user_code: '\u001B[31mAB\u202ECD\u0007\u2028-12\u0000' } });
    const giving = new AbortController();
    const signingIn = at.begin({ signal: giving.signal, show: () => giving.abort() });
    await signingIn;
    expect(at.prompts.map(({ userCode }) => userCode)).toEqual(['[31mABCD-12']);
  });

  it.each([
    { name: 'without a code to type', device: { user_code: null } },
    { name: 'with one of control characters alone', device: { user_code: '\u0007\u200F' } },
    { name: 'with one that nobody can type', device: { user_code: 'A'.repeat(65) } },
    { name: 'without a code to redeem', device: { device_code: null } },
    { name: 'without a place to type it', device: { verification_uri: null } },
    { name: 'with numbers for texts', device: { device_code: 7, user_code: 8 } },
  ])('is rejected $name', async ({ device }) => {
    await using at = await stage();
    at.issuer.misbehave({ device });
    expect(await at.begin()).toEqual(err({ kind: 'bad-answer', url: at.issuer.issuer }));
    expect(at.prompts).toEqual([]);
  });

  it.each([
    { name: 'a list', fault: { kind: 'not-an-object' } },
    { name: 'broken', fault: { kind: 'invalid-json' } },
    { name: 'too long', fault: { kind: 'huge', bytes: 200_000 } },
  ] as const)('is rejected if it is $name', async ({ fault }) => {
    await using at = await stage();
    at.issuer.misbehave({ faults: [{ at: 'device-authorization', ...fault }] });
    expect(await at.begin()).toEqual(err({ kind: 'bad-answer', url: at.issuer.issuer }));
  });

  it('sends no secret of the client elsewhere', async () => {
    await using thief = await startAuthorizationServer();
    await using at = await stage({ clients: [{ id: 'known', secret: 'pst' }] });
    at.issuer.misbehave({
      faults: [
        { at: 'device-authorization', kind: 'redirect', to: `${thief.origin}/x`, status: 307 },
      ],
    });
    const got = await at.begin({ oauth: { clientId: 'known', clientSecret: 'pst' } });
    expect(got.ok).toBe(false);
    expect(thief.requests).toEqual([]);
  });

  it.each(['device_authorization_endpoint', 'token_endpoint'])(
    'leads no secret to a %s without TLS',
    async (field) => {
      await using at = await stage({ clients: [{ id: 'known', secret: 'pst' }] });
      at.issuer.misbehave({ metadata: { [field]: 'http://elsewhere.example/endpoint' } });
      expect(await at.begin({ oauth: { clientId: 'known', clientSecret: 'pst' } })).toEqual(
        err({ kind: 'unsafe-address', field }),
      );
    },
  );
});

describe('the client of a device sign-in', () => {
  it('is registered for that grant only, once', async () => {
    await using at = await stage();
    for (const pause of [1, 2]) {
      const signingIn = at.begin({ show: approving(() => at.issuer) });
      await at.clock.pass(pause);
      expect((await signingIn).ok).toBe(true);
    }
    const registrations = at.issuer.requests.filter(({ endpoint }) => endpoint === 'registration');
    expect(registrations.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        redirect_uris: [],
        client_name: 'plugboard',
        application_type: 'native',
        grant_types: [GRANT_TYPES.deviceCode, 'refresh_token'],
        response_types: [],
        token_endpoint_auth_method: 'none',
      },
    ]);
  });

  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'is the configured one, by %s',
    async (authentication) => {
      await using at = await stage({ clients: [{ id: 'known', secret: 'plain', authentication }] });
      at.issuer.misbehave({
        metadata: { token_endpoint_auth_methods_supported: [authentication] },
      });
      const signingIn = at.begin({
        oauth: { clientId: 'known', clientSecret: 'plain' },
        show: approving(() => at.issuer),
      });
      await at.clock.pass(1);
      expect((await signingIn).ok).toBe(true);
      expect(at.issuer.count({ endpoint: 'registration' })).toBe(0);
    },
  );

  it('is the configured one, by its key', async () => {
    const signer = createSigner();
    await using at = await stage({ clients: [{ id: 'known', keys: [signer.publicKey] }] });
    const signingIn = at.begin({
      oauth: { clientId: 'known', privateKey: signer.privateKeyPem },
      show: approving(() => at.issuer),
    });
    await at.clock.pass(1);
    expect((await signingIn).ok).toBe(true);
  });

  it('is the one that a document describes', async () => {
    const document = { client_id: 'https://app.example/client.json', redirect_uris: [] };
    await using at = await stage({ givenDocuments: [document] });
    const signingIn = at.begin({
      oauth: { clientMetadataUrl: document.client_id },
      show: approving(() => at.issuer),
    });
    await at.clock.pass(1);
    expect(await signingIn).toMatchObject({ ok: true, value: { client: document.client_id } });
    expect(at.issuer.count({ endpoint: 'registration' })).toBe(0);
  });

  it('must be configured if none can be registered', async () => {
    await using at = await stage({ registration: 'unsupported', clientDocuments: 'unsupported' });
    expect(await at.begin()).toEqual(err({ kind: 'client-id-needed', issuer: at.issuer.issuer }));
  });
});

describe('support for device codes', () => {
  it('is read from either kind of metadata', async () => {
    for (const place of ['oauth', 'oidc'] as const) {
      await using at = await stage({ discovery: [place] });
      const signingIn = at.begin({ show: approving(() => at.issuer) });
      await at.clock.pass(1);
      expect((await signingIn).ok).toBe(true);
    }
  });

  it('is reported as missing if the metadata names no endpoint', async () => {
    await using at = await stage();
    at.issuer.misbehave({ metadata: { device_authorization_endpoint: null } });
    expect(await at.begin()).toEqual(err({ kind: 'device-not-offered', issuer: at.issuer.issuer }));
    expect(at.issuer.count({ endpoint: 'registration' })).toBe(0);
  });
});

describe('a DPoP token of a device sign-in', () => {
  it('is bound to its key, with the nonce that the server demands', async () => {
    verifies('AUT-07');
    await using at = await stage({ dpop: 'required', dpopNonce: 'required' });
    const signingIn = at.begin({ dpop: 'wanted', show: approving(() => at.issuer) });
    await at.clock.pass(1);
    const got = await signingIn;
    expect(got).toMatchObject({ ok: true, value: { kind: 'dpop', dpopKey: { kty: 'EC' } } });
    expect(at.issuer.accessTokens.map(({ grant }) => grant.keyThumbprint)).toEqual([
      expect.any(String),
    ]);
  });
});
