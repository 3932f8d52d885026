import { request } from 'node:http';
import { ok, Scope } from '@plugboard/base';
import { startAuthorizationServer, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Browser, loopbackBrowser, memoryCredentials } from '../../src/auth/index.ts';
import { allowAll, createHost } from '../../src/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';
import { guardedPair } from './guarded-pair.ts';

/** A browser that maps every name of this machine to one address, and is redirected back at once. */
function browserAt(address: string, sentBack: URL[] = []): Browser {
  return loopbackBrowser({
    show: async (page) => {
      const answered = await fetch(page, {
        redirect: 'manual',
        headers: { connection: 'close' },
      });
      await answered.arrayBuffer();
      const location = answered.headers.get('location');
      // An authorization page for an invalid request does not redirect.
      if (location === null) return { ok: false, error: { kind: 'cancelled' } };
      const redirect = new URL(location);
      sentBack.push(redirect);
      await visit(redirect, address);
      return ok(undefined);
    },
  });
}

function visit({ port, pathname, search, host }: URL, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `${pathname}${search}`;
    const asked = request({ host: address, port, path, headers: { host }, agent: false });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const REGISTERED = { id: 'registered', redirectUris: ['http://localhost/callback'] };

describe('a client that is registered with http://localhost:PORT/callback', () => {
  verifies('AUT-04');

  it.each(['127.0.0.1', '::1'])('signs in if the browser goes to %s', async (address) => {
    await using guarded = await guardedPair({ issuer: { clients: [REGISTERED] } });
    const sentBack: URL[] = [];
    await using host = await guardedHost({
      url: guarded.url,
      browser: browserAt(address, sentBack),
      entry: { oauth: { clientId: 'registered', callbackHost: 'localhost' } },
    });
    expect(await look(host)).toEqual(SEEN);
    expect(sentBack.map(({ hostname, pathname }) => [hostname, pathname])).toEqual([
      ['localhost', '/callback'],
    ]);
  });

  it('cannot sign in without that setting, since the address is compared as text', async () => {
    await using guarded = await guardedPair({ issuer: { clients: [REGISTERED] } });
    await using host = await guardedHost({
      url: guarded.url,
      browser: browserAt('127.0.0.1'),
      entry: { oauth: { clientId: 'registered' } },
    });
    expect(await look(host)).toMatchObject({ kind: 'needs-auth' });
    expect(guarded.issuer.accessTokens).toEqual([]);
  });
});

describe('an entry with "xaa": true', () => {
  const AT_PROVIDER = {
    id: 'agent-at-provider',
    redirectUris: ['http://localhost/callback'],
    idElsewhere: 'agent',
  };
  const USER_FILE = 'home/.config/plugboard/settings.json';

  it("is signed in to through the identity provider of the user's settings", async () => {
    verifies('AUT-08');
    await using scope = new Scope();
    const provider = scope.use(await startAuthorizationServer({ clients: [AT_PROVIDER] }));
    const guarded = scope.use(
      await guardedPair({ issuer: { clients: [{ id: 'agent' }], trusts: [provider] } }),
    );
    const folder = scope.use(await tempFolder());
    const entry = { type: 'http', url: guarded.url, protocol: 'legacy' };
    await folder.write(
      USER_FILE,
      JSON.stringify({
        identityProvider: {
          issuer: provider.issuer,
          clientId: 'agent-at-provider',
          callbackHost: 'localhost',
        },
        mcpServers: { [SERVER]: { ...entry, oauth: { clientId: 'agent', xaa: true } } },
      }),
    );
    const sentBack: URL[] = [];
    const host = scope.use(
      await createHost({
        environment: testEnvironment(folder.path),
        approve: allowAll,
        authorization: {
          browser: browserAt('127.0.0.1', sentBack),
          credentials: memoryCredentials(),
        },
      }),
    );
    expect(host.diagnostics).toEqual([]);
    expect(await look(host)).toEqual(SEEN);
    expect(sentBack.map(({ hostname }) => hostname)).toEqual(['localhost']);
    expect(guarded.issuer.count({ endpoint: 'authorization' })).toBe(0);
  });
});
