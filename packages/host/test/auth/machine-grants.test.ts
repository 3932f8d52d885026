import { ok } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost } from '../../src/index.ts';
import { memoryCredentials } from '../../src/auth/index.ts';
import { followingBrowser } from './following-browser.ts';
import { guardedHost, look } from './guarded-host.ts';
import { startGuarded } from './guarded-server.ts';

const secrets = {
  get: (name: string) => Promise.resolve(ok(name === 'WORKLOAD' ? 'workload' : 'hush')),
};

describe('a machine', () => {
  it('gets a token by the secret of its client, and another when that has expired', async () => {
    verifies('AUT-07');
    await using guarded = await startGuarded({ expiresIn: 1 });
    const oauth = {
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: '${secret:MACHINE}',
      scopes: 'read',
    };
    await using host = await guardedHost({
      url: guarded.url,
      entry: { oauth },
      host: { secrets },
    });
    expect((await look(host)).kind).toBe('result');
    expect(guarded.tokenRequests[0]?.get('scope')).toBe('read');
    expect(guarded.tokenRequests[0]?.get('resource')).toBe(guarded.url);
    const before = guarded.counts['client_credentials'] ?? 0;
    expect((await look(host)).kind).toBe('result');
    expect(guarded.counts['client_credentials']).toBe(before + 1);
    expect(guarded.authorizations).toEqual([]);
  });

  it('gets a token by the token of its workload, and does not try another way', async () => {
    verifies('AUT-07');
    await using guarded = await startGuarded();
    const entry = (assertion: string) => ({
      oauth: { grant: 'jwt-bearer', clientId: 'machine', assertion },
    });
    const browser = followingBrowser();
    const options = { url: guarded.url, browser, host: { secrets } };
    await using known = await guardedHost({ ...options, entry: entry('${secret:WORKLOAD}') });
    expect((await look(known)).kind).toBe('result');
    await using unknown = await guardedHost({ ...options, entry: entry('${secret:OTHER}') });
    expect(await look(unknown)).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'denied', error: 'invalid_grant' },
    });
    expect(guarded.tokenRequests.length).toBe(2);
    expect(browser.visited).toEqual([]);
  });
});

describe('Cross-App Access', () => {
  it('takes one sign-in at the identity provider for all servers that name it', async () => {
    verifies('AUT-08');
    await using provider = await startGuarded();
    await using first = await startGuarded();
    await using second = await startGuarded();
    const browser = followingBrowser();
    const entryOf = (url: string) => ({
      type: 'http',
      url,
      protocol: 'legacy',
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
    expect((await host.call({ server: 'first', tool: 'look' }, {})).kind).toBe('result');
    expect((await host.call({ server: 'second', tool: 'look' }, {})).kind).toBe('result');
    expect(browser.visited.map(({ origin }) => origin)).toEqual([provider.issuer]);
    const exchanges = provider.tokenRequests.filter((asked) => asked.has('audience'));
    expect(exchanges.map((asked) => [asked.get('audience'), asked.get('resource')])).toEqual([
      [first.issuer, first.url],
      [second.issuer, second.url],
    ]);
    expect(first.authorizations.length + second.authorizations.length).toBe(0);
  });
});
