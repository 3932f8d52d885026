import { err, never, ok, Scope } from '@plugboard/base';
import { GRANT_TYPES, HOSTILE_ADDRESSES, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ISSUER, ISSUER_HOST, namedPlaces, PUBLIC, SERVER_HOST } from './named-places.ts';
import { hostileScene, SERVER } from './scene.ts';

const INNER = [
  '10.0.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
];
const METADATA_URL = `${ISSUER}/.well-known/oauth-authorization-server`;
const UNSAFE = { kind: 'unsafe-address', field: 'authorization_servers', url: METADATA_URL };

describe('a host name that resolves to a private network', () => {
  verifies('AUT-11');

  it('is used for a sign-in while it resolves to the internet', async () => {
    await using scope = new Scope();
    const { login, dialled } = await namedPlaces(scope);
    expect((await login()).ok).toBe(true);
    expect(new Set(dialled)).toEqual(
      new Set([`${SERVER_HOST} ${PUBLIC}`, `${ISSUER_HOST} ${PUBLIC}`]),
    );
  });

  it.each(INNER)('is never connected to: %s', async (address) => {
    await using scope = new Scope();
    const { login, addresses, dialled, issuer } = await namedPlaces(scope);
    addresses.set(ISSUER_HOST, [address]);
    expect(await login()).toEqual(err(UNSAFE));
    expect(dialled).toEqual([`${SERVER_HOST} ${PUBLIC}`]);
    expect(issuer.requests).toEqual([]);
  });

  it.each(INNER)('is not connected to later either: %s', async (address) => {
    await using scope = new Scope();
    const { login, refused, addresses, dialled, issuer } = await namedPlaces(scope);
    expect((await login()).ok).toBe(true);
    const before = { dialled: new Set(dialled), requests: issuer.requests.length };
    addresses.set(ISSUER_HOST, [address]);
    expect(await login()).toEqual(err(UNSAFE));
    expect(await refused()).toEqual({ kind: 'refused', problem: UNSAFE });
    // Not even by a connection that was open already.
    expect({ dialled: new Set(dialled), requests: issuer.requests.length }).toEqual(before);
  });

  it('is connected to only at its public addresses', async () => {
    await using scope = new Scope();
    const { login, addresses, dialled } = await namedPlaces(scope);
    addresses.set(ISSUER_HOST, ['10.0.0.1', PUBLIC, '127.0.0.1']);
    expect((await login()).ok).toBe(true);
    expect(new Set(dialled)).toEqual(
      new Set([`${SERVER_HOST} ${PUBLIC}`, `${ISSUER_HOST} ${PUBLIC}`]),
    );
  });

  it('may be that of the server itself, and opens nothing beside it', async () => {
    await using scope = new Scope();
    const { login, addresses, dialled } = await namedPlaces(scope);
    addresses.set(SERVER_HOST, ['10.0.0.1']);
    addresses.set(ISSUER_HOST, ['10.0.0.2']);
    expect(await login()).toEqual(err(UNSAFE));
    expect(dialled).toEqual([`${SERVER_HOST} 10.0.0.1`]);
  });
});

describe('a private address that the user configured', () => {
  verifies('AUT-11', 'AUT-01');

  it.each([
    ['authServerMetadataUrl', { authServerMetadataUrl: METADATA_URL }],
    ['issuer', { issuer: ISSUER }],
  ])('is connected to: %s', async (_, oauth) => {
    await using scope = new Scope();
    const { login, addresses, dialled } = await namedPlaces(scope, { oauth });
    addresses.set(ISSUER_HOST, ['10.0.0.1']);
    expect((await login()).ok).toBe(true);
    expect(new Set(dialled)).toEqual(
      new Set([`${SERVER_HOST} ${PUBLIC}`, `${ISSUER_HOST} 10.0.0.1`]),
    );
  });

  it('as the identity provider opens its network to no server', async () => {
    await using scope = new Scope();
    const xaa = { issuer: 'https://idp.corp', clientId: 'agent' };
    const { refused, addresses, dialled } = await namedPlaces(scope, {
      oauth: { clientId: 'agent', xaa },
      issuerUrl: 'https://vault.corp',
    });
    addresses.set('idp.corp', ['10.0.0.9']);
    addresses.set('vault.corp', ['10.0.0.10']);
    const url = 'https://vault.corp/.well-known/oauth-authorization-server';
    expect(await refused()).toEqual({ kind: 'refused', problem: { ...UNSAFE, url } });
    expect(dialled).toEqual([`${SERVER_HOST} ${PUBLIC}`]);
  });

  it('as the identity provider is connected to', async () => {
    await using scope = new Scope();
    const xaa = { issuer: 'https://idp.corp', clientId: 'agent' };
    const oauth = { clientId: 'agent', xaa };
    const { refused, addresses, dialled } = await namedPlaces(scope, { oauth });
    addresses.set('idp.corp', ['10.0.0.9']);
    // Another server answers there, which is detected after connecting.
    expect(await refused()).toMatchObject({ problem: { kind: 'issuer-mismatch' } });
    expect(dialled.at(-1)).toBe('idp.corp 10.0.0.9');
  });
});

describe('a stored address', () => {
  verifies('AUT-11');
  const numbers = HOSTILE_ADDRESSES.filter(({ address }) => /^https?:/.test(address));

  it.each(numbers)(
    'is checked when it is used, such as a token endpoint: $name',
    async (hostile) => {
      await using scope = new Scope();
      const { login, look, issuer, elsewhere, credentials } = await hostileScene(scope);
      expect((await login()).kind).toBe('signed-in');
      const before = await credentials.credentials.list();
      issuer.revokeAccessTokens();
      issuer.misbehave({ metadata: { token_endpoint: hostile.address } });
      expect((await look()).kind).toBe('needs-auth');
      expect(elsewhere()).toEqual([]);
      expect(issuer.count({ endpoint: 'token', grantType: GRANT_TYPES.refreshToken })).toBe(0);
      expect(await credentials.credentials.list()).toEqual(before);
    },
  );

  it.each(numbers)(
    'is checked when it is used, such as a metadata address: $name',
    async (hostile) => {
      await using scope = new Scope();
      const { login, issuer, server, elsewhere, credentials, anotherHost } =
        await hostileScene(scope);
      expect((await login()).kind).toBe('signed-in');
      const known = await credentials.servers.list();
      const [record] = known.ok ? known.value : [];
      if (record === undefined) throw new Error('nothing was kept of the server');
      const resourceMetadataUrl = hostile.address;
      const tamper = () => Promise.resolve({ ...record, resourceMetadataUrl });
      expect(await credentials.servers.update(record, tamper, never)).toEqual(
        ok({ ...record, resourceMetadataUrl }),
      );
      issuer.revokeAccessTokens();
      server.misbehave({ resourceMetadata: 'absent' });
      const later = await anotherHost();
      expect((await later.call({ server: SERVER, tool: 'look' }, {})).kind).toBe('result');
      expect(elsewhere()).toEqual([]);
    },
  );
});
