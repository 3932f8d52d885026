import { Scope } from '@plugboard/base';
import { startProtectedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostileScene, notSignedIn, SCRIPT, SERVER } from './scene.ts';

describe('metadata that describes another resource', () => {
  verifies('AUT-01', 'AUT-11');

  it.each([
    ['elsewhere', () => 'https://elsewhere.example/mcp'],
    ['on another port', () => 'http://127.0.0.1:1/mcp'],
    ['beside it', (url: string) => `${url}-other`],
    ['below it', (url: string) => `${url}/admin`],
    ['of no place', () => 'urn:anything'],
  ] as const)('is not accepted: one %s', async (_, resourceAt) => {
    await using scope = new Scope();
    const { login, server, issuer, browser } = await hostileScene(scope);
    const resource = resourceAt(server.url);
    server.misbehave({ metadata: { resource } });
    expect(await login()).toEqual(notSignedIn({ kind: 'resource-mismatch', resource }));
    expect(browser.visited).toEqual([]);
    expect(issuer.requests).toEqual([]);
  });
});

describe('a token of one server', () => {
  verifies('AUT-09', 'AUT-11');

  it('is sent to no other server, although the same authorization server issued it', async () => {
    await using scope = new Scope();
    const { login, look, issuer, server, anotherHost } = await hostileScene(scope);
    const other = scope.use(await startProtectedServer({ issuer, script: SCRIPT }));
    expect((await login()).kind).toBe('signed-in');
    expect((await look()).kind).toBe('result');
    const both = await anotherHost({
      servers: {
        [SERVER]: { type: 'http', url: server.url },
        other: { type: 'http', url: other.url },
      },
    });
    const call = (name: string) => both.call({ server: name, tool: 'look' }, {});
    expect((await call(SERVER)).kind).toBe('result');
    expect((await call('other')).kind).toBe('needs-auth');
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(
      other.requests.map(() => undefined),
    );
    expect(other.admitted).toEqual([]);
  });

  it('is requested by name of its server', async () => {
    await using scope = new Scope();
    const { login, server, issuer } = await hostileScene(scope, {
      issuer: { resourceIndicator: 'required' },
    });
    expect((await login()).kind).toBe('signed-in');
    const asked = issuer.requests.filter(({ endpoint }) =>
      ['authorization', 'token'].includes(endpoint),
    );
    expect(asked.map(({ parameters }) => parameters['resource'])).toEqual([server.url, server.url]);
  });
});
