import { ok } from '@plugboard/base';
import {
  createSigner,
  GRANT_TYPES,
  ManualClock,
  startAuthorizationServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost } from '../../src/index.ts';
import { memoryCredentials } from '../../src/auth/index.ts';
import { cells } from './cells.ts';
import { followingBrowser, inBrowser, REDIRECT } from './following-browser.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';
import { guardedPair, startBehind } from './guarded-pair.ts';

/** A store with these secrets. */
const stored = (secrets: Readonly<Record<string, string>>) => ({
  get: (name: string) => Promise.resolve(ok(secrets[name])),
});

const MACHINE = { id: 'machine', secret: 'hush-4f1c' };

describe('a machine sign-in', () => {
  it('gets a token with the secret of its client, and another when that has expired', async () => {
    verifies('AUT-07');
    const clock = new ManualClock();
    await using guarded = await guardedPair({
      issuer: { clock, clients: [MACHINE], accessTokenSeconds: 60 },
    });
    const { issuer, server, url } = guarded;
    const oauth = {
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: '${secret:MACHINE}',
      scopes: 'read',
    };
    const secrets = stored({ MACHINE: MACHINE.secret });
    await using host = await guardedHost({ url, entry: { oauth }, host: { secrets, clock } });
    expect(await look(host)).toEqual(SEEN);
    expect(await look(host)).toEqual(SEEN);
    expect(issuer.accessTokens.map(({ grant }) => grant)).toEqual([
      { clientId: 'machine', subject: 'machine', scopes: ['read'], resource: url },
    ]);
    await clock.advance(31_000);
    expect(await look(host)).toEqual(SEEN);
    expect(issuer.accessTokens.length).toBe(2);
    expect(server.admitted.at(-1)).toEqual(issuer.accessTokens[1]);
    expect(issuer.count({ endpoint: 'authorization' })).toBe(0);
  });

  it('gets a token with a key instead of a secret', async () => {
    verifies('AUT-07');
    const signer = createSigner();
    const client = { id: 'machine', keys: [signer.publicKey] };
    await using guarded = await guardedPair({ issuer: { clients: [client] } });
    const { issuer, url } = guarded;
    const oauth = {
      grant: 'client_credentials',
      clientId: 'machine',
      privateKey: '${secret:KEY}',
    };
    const secrets = stored({ KEY: signer.privateKeyPem });
    await using host = await guardedHost({ url, entry: { oauth }, host: { secrets } });
    expect(await look(host)).toEqual(SEEN);
    const [asked] = issuer.requests.filter(({ endpoint }) => endpoint === 'token');
    expect(asked?.parameters).toMatchObject({
      grant_type: GRANT_TYPES.clientCredentials,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      resource: url,
    });
  });

  it('gets a token with the token of its workload, and does not try another way', async () => {
    verifies('AUT-07');
    const platform = { issuer: 'https://platform.example', ...signing() };
    const clients = [{ id: 'machine' }];
    await using guarded = await guardedPair({ issuer: { clients, trusts: [platform] } });
    const { issuer, server, url } = guarded;
    const oauth = { grant: 'jwt-bearer', clientId: 'machine', assertion: '${secret:WORKLOAD}' };
    const browser = followingBrowser();
    const claims = {
      iss: platform.issuer,
      sub: 'workload-7',
      aud: issuer.issuer,
      exp: Math.floor(Date.now() / 1000) + 300,
    };
    const known = stored({ WORKLOAD: platform.signer.sign(claims) });
    const forged = stored({ WORKLOAD: createSigner().sign(claims) });

    await using host = await guardedHost({
      url,
      browser,
      entry: { oauth },
      host: { secrets: known },
    });
    expect(await look(host)).toEqual(SEEN);
    expect(server.admitted[0]?.grant).toMatchObject({ subject: 'workload-7', resource: url });

    await using other = await guardedHost({
      ...{ url, browser, entry: { oauth } },
      host: { secrets: forged },
    });
    expect(await look(other)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'denied', error: 'invalid_grant' },
    });
    expect(issuer.count({ endpoint: 'token' })).toBe(2);
    expect(browser.visited).toEqual([]);
  });
});

function signing() {
  const signer = createSigner();
  return { signer, publicKeys: [signer.publicKey] };
}

describe.each(cells)('Cross-App Access over $name', ({ entry, pair }) => {
  const AT_PROVIDER = { id: 'agent-at-provider', redirectUris: [REDIRECT], idElsewhere: 'agent' };
  const AGENT = { id: 'agent', secret: 'hush-91d0' };
  const secrets = stored({ AGENT: AGENT.secret });

  it('uses one sign-in at the identity provider for all servers that name it', async () => {
    verifies('AUT-08');
    await using provider = await startAuthorizationServer({ clients: [AT_PROVIDER] });
    const trusting = { issuer: { clients: [AGENT], trusts: [provider] } };
    await using first = await pair(trusting);
    await using second = await pair(trusting);
    const browser = followingBrowser();
    const entryOf = (url: string) => ({
      ...entry,
      url,
      oauth: {
        clientId: 'agent',
        clientSecret: '${secret:AGENT}',
        xaa: { issuer: provider.issuer, clientId: 'agent-at-provider' },
      },
    });
    await using host = await createHost({
      files: 'none',
      approve: allowAll,
      servers: { first: entryOf(first.url), second: entryOf(second.url) },
      secrets,
      authorization: { browser, credentials: memoryCredentials() },
    });
    for (const server of ['first', 'second']) {
      expect((await host.call({ server, tool: 'look' }, {})).kind).toBe('result');
    }
    expect(browser.visited.map(({ origin }) => origin)).toEqual([provider.origin]);
    const exchanges = provider.requests.filter(
      ({ parameters }) => parameters.grant_type === GRANT_TYPES.tokenExchange,
    );
    expect(exchanges.map(({ parameters: { audience, resource } }) => [audience, resource])).toEqual(
      [first, second].map(({ issuer, server }) => [issuer.issuer, server.resource]),
    );
    for (const { issuer, server } of [first, second]) {
      expect(server.admitted[0]?.grant).toMatchObject({
        clientId: 'agent',
        subject: 'alice',
        resource: server.resource,
      });
      expect(issuer.count({ endpoint: 'authorization' })).toBe(0);
    }
  });
});

describe('Cross-App Access', () => {
  it('signs in nowhere else when the identity provider refuses', async () => {
    verifies('AUT-08');
    await using provider = await startAuthorizationServer({ clients: [{ id: 'agent' }] });
    await using guarded = await guardedPair({ issuer: { clients: [{ id: 'agent' }] } });
    const browser = followingBrowser();
    const xaa = { issuer: provider.issuer, clientId: 'agent', idToken: '${secret:ID}' };
    await using host = await guardedHost({
      url: guarded.url,
      browser,
      entry: { oauth: { clientId: 'agent', xaa } },
      host: { secrets: stored({ ID: 'not-an-id-token' }) },
    });
    expect(await look(host)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'denied', issuer: provider.issuer, error: 'unknown' },
    });
    expect(browser.visited).toEqual([]);
    expect(guarded.issuer.count({ endpoint: 'token' })).toBe(0);
  });
});

describe('one authorization server', () => {
  it('is used for each of its servers, and each gets its own token', async () => {
    verifies('AUT-09');
    await using guarded = await guardedPair();
    const { issuer } = guarded;
    await using other = await startBehind(issuer);
    const credentials = memoryCredentials();
    for (const url of [guarded.url, other.url]) {
      await using host = await guardedHost({ url, credentials });
      await host.login(SERVER, inBrowser(followingBrowser()));
      expect(await look(host)).toEqual(SEEN);
    }
    expect(issuer.accessTokens.map(({ grant }) => grant.resource)).toEqual([
      guarded.url,
      other.url,
    ]);
    expect(issuer.clients.length).toBe(1);
  });

  it('may know the user under several accounts, each with its own credential', async () => {
    verifies('AUT-09');
    await using guarded = await guardedPair();
    const { issuer, server, url } = guarded;
    const credentials = memoryCredentials();
    for (const account of ['work', 'home']) {
      issuer.signIn(account);
      const entry = { oauth: { account } };
      await using host = await guardedHost({ url, credentials, entry });
      await host.login(SERVER, inBrowser(followingBrowser()));
    }
    for (const account of ['work', 'home', 'work']) {
      await using host = await guardedHost({ url, credentials, entry: { oauth: { account } } });
      expect(await look(host)).toEqual(SEEN);
      expect(server.admitted.at(-1)?.grant.subject).toBe(account);
    }
  });
});
