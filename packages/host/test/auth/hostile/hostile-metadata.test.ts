import { Scope } from '@plugboard/base';
import {
  type Fault,
  HOSTILE_ADDRESSES,
  ManualClock,
  startAuthorizationServer,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostileScene, notSignedIn, SERVER } from './scene.ts';

const UNREADABLE = new Set(['a script', 'a document in the address', 'a flag']);
/** An address that an unguarded fetch would follow. */
const FETCHABLE = HOSTILE_ADDRESSES.filter(({ address }) => /^https?:/.test(address));

describe('a challenge that names the address of the metadata', () => {
  verifies('AUT-11', 'AUT-01');

  it.each(FETCHABLE)('leads nowhere but to the server itself: $name', async ({ address }) => {
    await using scope = new Scope();
    const { login, elsewhere, server } = await hostileScene(scope, {
      server: { misbehaviour: { resourceMetadata: { address } } },
    });
    expect(await login()).toMatchObject({ kind: 'signed-in', server: SERVER });
    expect(elsewhere()).toEqual([]);
    expect(server.count({ endpoint: 'resource-metadata' })).toBe(1);
  });

  it('does not lead to another port of this machine either', async () => {
    await using scope = new Scope();
    const thief = scope.use(await startAuthorizationServer());
    const address = thief.publish('/metadata', { resource: 'x', authorization_servers: [] });
    const { login } = await hostileScene(scope, {
      server: { misbehaviour: { resourceMetadata: { address } } },
    });
    expect((await login()).kind).toBe('signed-in');
    expect(thief.requests).toEqual([]);
  });
});

describe('metadata that names an inner address', () => {
  verifies('AUT-11');

  it.each(HOSTILE_ADDRESSES)(
    'is rejected as the authorization server: $name',
    async ({ name, address }) => {
      await using scope = new Scope();
      const { login, elsewhere, browser, server } = await hostileScene(scope, {
        server: { misbehaviour: { metadata: { authorization_servers: [address] } } },
      });
      const { origin } = new URL(server.url);
      expect(await login()).toEqual(
        notSignedIn(
          // As if it had none: then the server itself is used, which registers no clients.
          UNREADABLE.has(name)
            ? { kind: 'registration-refused', issuer: `${origin}/`, status: 404 }
            : { kind: 'unsafe-address', field: 'authorization_servers' },
        ),
      );
      expect({ elsewhere: elsewhere(), visited: browser.visited }).toEqual({
        elsewhere: [],
        visited: [],
      });
    },
  );

  it.each(HOSTILE_ADDRESSES)(
    'is rejected as the token endpoint: $name',
    async ({ name, address }) => {
      await using scope = new Scope();
      const { login, elsewhere, browser, issuer } = await hostileScene(scope, {
        issuer: { misbehaviour: { metadata: { token_endpoint: address } } },
      });
      expect(await login()).toEqual(
        notSignedIn(
          UNREADABLE.has(name)
            ? { kind: 'bad-answer', url: issuer.issuer }
            : { kind: 'unsafe-address', field: 'token_endpoint' },
        ),
      );
      // No page is opened for a token that would not be fetched.
      expect({ elsewhere: elsewhere(), visited: browser.visited }).toEqual({
        elsewhere: [],
        visited: [],
      });
    },
  );

  it.each(FETCHABLE)('is rejected as the registration endpoint: $name', async ({ address }) => {
    await using scope = new Scope();
    const { login, elsewhere, browser } = await hostileScene(scope, {
      issuer: { misbehaviour: { metadata: { registration_endpoint: address } } },
    });
    const problem = { kind: 'unsafe-address', field: 'registration_endpoint' };
    expect(await login()).toMatchObject(notSignedIn(problem));
    expect({ elsewhere: elsewhere(), visited: browser.visited }).toEqual({
      elsewhere: [],
      visited: [],
    });
  });
});

describe('metadata that names an address on the internet', () => {
  verifies('AUT-11');

  it('is followed, through the proxy of the user', async () => {
    await using scope = new Scope();
    const { login, elsewhere } = await hostileScene(scope, {
      server: {
        misbehaviour: { metadata: { authorization_servers: ['https://auth.example.com'] } },
      },
    });
    const url = 'https://auth.example.com/.well-known/oauth-authorization-server';
    expect(await login()).toEqual(notSignedIn({ kind: 'unreachable', url, code: 'PROXY_403' }));
    expect(elsewhere()).toEqual(['auth.example.com:443']);
  });
});

describe('an endless answer', () => {
  verifies('AUT-11');
  const BYTES = 1024 * 1024 + 1;

  it.each([
    ['metadata', '/.well-known/oauth-authorization-server'],
    ['registration', '/register'],
    ['token', '/token'],
  ] as const)('is not read to its end: %s', async (at, path) => {
    await using scope = new Scope();
    const { login, issuer } = await hostileScene(scope, {
      issuer: { misbehaviour: { faults: [{ at, kind: 'huge', bytes: BYTES }] } },
    });
    expect(await login()).toEqual(
      notSignedIn({ kind: 'bad-answer', url: `${issuer.origin}${path}` }),
    );
  });

  it('is an error rather than no answer', async () => {
    await using scope = new Scope();
    const at = 'resource-metadata';
    const { login, server } = await hostileScene(scope, {
      server: { misbehaviour: { faults: [{ at, kind: 'huge', bytes: BYTES }] } },
    });
    const url = server.resourceMetadataUrl;
    expect(await login()).toEqual(notSignedIn({ kind: 'bad-answer', url }));
  });

  const faults: readonly (Fault & { readonly kind: 'hang' | 'stall' })[] = [
    { at: 'metadata', kind: 'hang' },
    { at: 'metadata', kind: 'stall' },
    { at: 'registration', kind: 'hang' },
    { at: 'token', kind: 'stall' },
  ];

  it.each(faults)('is not waited for: $at, $kind', async (fault) => {
    await using scope = new Scope();
    const clock = new ManualClock();
    const { login, issuer } = await hostileScene(scope, {
      issuer: { misbehaviour: { faults: [fault] } },
      host: { clock },
    });
    const outcome = login();
    await waitUntil(() => issuer.count({ endpoint: fault.at }) > 0, { describe: 'the request' });
    await clock.advance(20_000);
    expect(await outcome).toMatchObject(notSignedIn({ kind: 'unreachable', code: 'ETIMEDOUT' }));
  });
});
