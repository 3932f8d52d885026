import { Scope, systemClock } from '@plugboard/base';
import { startConnectProxy, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkSettings } from '../../../src/platform/index.ts';
import {
  FetchRefused,
  guardedFetch,
  type GuardedFetchOptions,
} from '../../../src/protocol/index.ts';
import { isOpenTo, vouchingHosts } from '../../../src/protocol/network/url-guard.ts';
import { inBlock, spellings } from './spellings.ts';
import { says, startWebServer } from './web-server.ts';

const AFAR = new URL('https://mcp.example.com/mcp');

/** A resolver with these answers, which records the resolved names. */
function resolver(known: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked: string[] = [];
  return {
    asked,
    resolve: (host: string): Promise<readonly string[]> => {
      const times = asked.filter((each) => each === host).length;
      asked.push(host);
      const found = known[host]?.[times];
      if (found !== undefined) return Promise.resolve(found);
      return Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    },
  };
}

/** Why this URL of a server is refused, or the answer if it is not. */
async function outcomeOf(
  url: string,
  options: Partial<GuardedFetchOptions> = {},
): Promise<unknown> {
  const { resolve } = resolver({});
  const fetching = guardedFetch({
    network: undefined,
    homes: [AFAR],
    clock: systemClock,
    resolve,
    ...options,
  });
  try {
    return await (await fetching(url)).text();
  } catch (thrown) {
    if (thrown instanceof FetchRefused) return thrown.data;
    throw thrown;
  }
}

describe('a URL of a remote server', () => {
  verifies('AUT-11');

  it.each([
    ['http://example.com/', { kind: 'scheme', scheme: 'http:' }],
    ['http://mcp.example.com/mcp', { kind: 'scheme', scheme: 'http:' }],
    ['http://169.254.169.254/latest/', { kind: 'scheme', scheme: 'http:' }],
    ['http://localhost/', { kind: 'scheme', scheme: 'http:' }],
    ['ftp://example.com/', { kind: 'scheme', scheme: 'ftp:' }],
    ['file:///etc/passwd', { kind: 'scheme', scheme: 'file:' }],
    ['a:$(cmd.exe /c calc)', { kind: 'scheme', scheme: 'a:' }],
    ['data:text/html,x', { kind: 'scheme', scheme: 'data:' }],
    ['https://me:t0ken@example.com/', { kind: 'credentials' }],
    ['https://me@example.com/', { kind: 'credentials' }],
    ['/relative', { kind: 'not-a-url' }],
    ['https://', { kind: 'not-a-url' }],
    ['https://metadata.google.internal/', { kind: 'inner-name' }],
    ['https://instance-data./', { kind: 'inner-name' }],
    ['https://nowhere.example.com/', { kind: 'unreachable', code: 'ENOTFOUND' }],
  ])('is refused by its spelling: %s', async (url, problem) => {
    const outcome = await outcomeOf(url);
    expect(outcome).toMatchObject(problem);
    expect(JSON.stringify(outcome)).not.toContain('t0ken');
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['[::1]', 'loopback'],
    ['2130706433', 'loopback'],
    ['0177.1', 'loopback'],
    ['0x7f.0.0.1', 'loopback'],
    ['127.0.0.1.', 'loopback'],
    ['１２７.０.０.１', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['10.1.2.3', 'private'],
    ['[fd12::1]', 'private'],
    ['100.64.1.1', 'private'],
    ['169.254.1.1', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['[fd00:ec2::254]', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['0', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['[::]', 'reserved'],
    ['[64:ff9b::7f00:1]', 'reserved'],
    ['[2002:7f00:1::]', 'reserved'],
    ['224.0.0.251', 'multicast'],
  ])('is not fetched from %s (%s), and no connection is made', async (host, range) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('secret'));
    expect(await outcomeOf(`https://${host}:${server.port}/x`)).toMatchObject({
      kind: 'address',
      range,
    });
    expect(server.connections()).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    'fe80::1%1',
    'fd00:ec2::254',
    'not an address',
  ])('is not fetched from a name that resolves to %s', async (address) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('secret'));
    const { resolve } = resolver({ 'evil.example.com': [[address]] });
    const url = `https://evil.example.com:${server.port}/`;
    expect(await outcomeOf(url, { resolve })).toMatchObject({ kind: 'address', address, url });
    expect(server.connections()).toBe(0);
  });

  it('is refused in every spelling of a private address, without a lookup', async () => {
    const inner = fc
      .oneof(
        inBlock('127.0.0.0', 8),
        inBlock('10.0.0.0', 8),
        inBlock('172.16.0.0', 12),
        inBlock('192.168.0.0', 16),
        inBlock('169.254.0.0', 16),
        inBlock('0.0.0.0', 8),
      )
      .chain(spellings);
    await fc.assert(
      fc.asyncProperty(inner, async (spelling) => {
        const { asked, resolve } = resolver({});
        const outcome = await outcomeOf(`https://${spelling}/`, { resolve });
        expect(outcome).toMatchObject({ kind: 'address' });
        expect(asked).toEqual([]);
      }),
    );
  });
});

describe('the addresses that a home opens', () => {
  const may = (home: string, url: string, address: string, around: readonly string[] = []) =>
    isOpenTo(address, new URL(url), { homes: [new URL(home)], around });

  it.each([
    // Every server may refer to the internet.
    ['https://mcp.example.com', 'https://a.example', '8.8.8.8', [], true],
    ['http://127.0.0.1:3000', 'https://a.example', '8.8.8.8', ['127.0.0.1'], true],
    // A public name opens itself, wherever it resolves to, and on any port.
    ['https://mcp.example.com', 'https://mcp.example.com:8443', '10.0.0.1', [], true],
    ['https://mcp.example.com', 'https://mcp.example.com./', '127.0.0.1', [], true],
    ['https://mcp.example.com', 'https://vault.example.com', '10.0.0.1', [], false],
    ['https://mcp.example.com', 'https://mcp.example.com.evil.org', '10.0.0.1', [], false],
    // But never the metadata service of a machine.
    ['https://mcp.example.com', 'https://mcp.example.com', '169.254.169.254', [], false],
    ['https://169.254.169.254', 'https://169.254.169.254', '169.254.169.254', [], false],
    ['https://mcp.example.com', 'https://mcp.example.com', 'what', [], false],
    // An address, or a name that cannot be registered publicly, opens its neighbours.
    ['http://127.0.0.1:3000', 'https://a.example', '127.0.0.1', ['127.0.0.1'], true],
    ['http://localhost:3000', 'https://a.example', '::1', ['127.0.0.1'], true],
    ['https://10.0.0.1', 'https://sso.corp', '10.9.9.9', ['10.0.0.1'], true],
    ['https://10.0.0.1', 'https://sso.corp', '192.168.1.1', ['10.0.0.1'], false],
    ['https://10.0.0.1', 'https://sso.corp', '127.0.0.1', ['10.0.0.1'], false],
    ['https://127.0.0.1', 'https://sso.corp', '10.0.0.1', ['127.0.0.1'], false],
    ['https://169.254.1.1', 'https://a.example', '169.254.1.1', ['169.254.1.1'], true],
    ['https://169.254.1.1', 'https://a.example', '169.254.1.2', ['169.254.1.1'], false],
    ['https://169.254.1.1', 'https://a.example', '169.254.169.254', ['169.254.1.1'], false],
    // Without TLS, only this machine is reached.
    ['http://localhost:3000', 'http://localhost:4000', '127.0.0.1', ['127.0.0.1'], true],
    ['http://localhost:3000', 'http://localhost:4000', '8.8.8.8', ['127.0.0.1'], false],
  ])('%s: whether %s may be fetched from %s (%j)', (home, url, address, around, isOpen) => {
    verifies('AUT-11');
    expect(may(home, url, address, around)).toBe(isOpen);
  });

  it('include neighbours only if no outsider controls its name', () => {
    verifies('AUT-11');
    const homes = ['https://mcp.example.com', 'https://wiki.corp', 'http://nas', 'http://[::1]:1'];
    const hosts = [...homes, 'https://10.0.0.1', 'http://a.localhost', 'https://corp.example'];
    expect(vouchingHosts(hosts.map((each) => new URL(each)))).toEqual([
      'wiki.corp',
      'nas',
      '::1',
      '10.0.0.1',
      'a.localhost',
    ]);
  });

  it('are determined by a lookup of a private name', async () => {
    const { asked, resolve } = resolver({
      'sso.corp': [['10.0.0.2']],
      'mcp.corp': [['192.168.0.1']],
    });
    const homes = [new URL('https://mcp.corp/mcp')];
    expect(await outcomeOf('https://sso.corp', { resolve, homes })).toMatchObject({
      kind: 'address',
      address: '10.0.0.2',
    });
    expect(asked).toEqual(['sso.corp', 'mcp.corp']);
  });

  it('also follow from other addresses that the user configured', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('metadata'));
    const homes = [AFAR, new URL('http://localhost:1')];
    expect(await outcomeOf(server.origin, { homes })).toBe('metadata');
    expect(await outcomeOf(server.origin)).toMatchObject({ kind: 'scheme' });
  });
});

describe('the host name of a guarded request', () => {
  verifies('AUT-11');
  const homes = [new URL('http://localhost:3000/mcp')];

  it('is resolved once, and the connection uses the checked address', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('the first'));
    const { asked, resolve } = resolver({ 'app.localhost': [['127.0.0.1'], ['10.0.0.1']] });
    const url = `http://app.localhost:${server.port}/`;
    expect(await outcomeOf(url, { homes, resolve })).toBe('the first');
    expect(asked).toEqual(['app.localhost']);
    // The same URL is checked again when it is used again.
    expect(await outcomeOf(url, { homes, resolve })).toMatchObject({
      kind: 'address',
      address: '10.0.0.1',
    });
    expect(server.connections()).toBe(1);
  });

  it('is connected only at its allowed addresses', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('open'));
    const addresses = ['10.0.0.1', '169.254.169.254', '127.0.0.1'];
    const { resolve } = resolver({ 'app.localhost': [addresses] });
    const url = `http://app.localhost:${server.port}/`;
    expect(await outcomeOf(url, { homes, resolve })).toBe('open');
  });

  it('is resolved by the system by default', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('here'));
    const fetching = guardedFetch({ network: undefined, homes, clock: systemClock });
    const response = await fetching(`http://localhost:${server.port}/`);
    expect(await response.text()).toBe('here');
  });

  it('is unreachable if it has no address', async () => {
    const { resolve } = resolver({ 'a.example.com': [[]] });
    expect(await outcomeOf('https://a.example.com/', { resolve })).toMatchObject({
      kind: 'unreachable',
      code: 'ENOTFOUND',
    });
  });
});

describe('a guarded request through a proxy', () => {
  verifies('AUT-11');

  async function askedOf(url: string, home = AFAR) {
    await using scope = new Scope();
    const proxy = scope.use(await startConnectProxy({ port: 1, refuse: 403 }));
    const network = networkSettings({ env: { HTTPS_PROXY: proxy.url }, cwd: '/' });
    const { asked, resolve } = resolver({});
    const outcome = await outcomeOf(url, { network, resolve, homes: [home] });
    return { outcome, tunnels: proxy.asked.map(({ authority }) => authority), lookups: asked };
  }

  it('leaves the lookup of names to the proxy', async () => {
    expect(await askedOf('https://auth.example.com/x')).toEqual({
      outcome: { kind: 'unreachable', code: 'PROXY_403', url: 'https://auth.example.com/x' },
      tunnels: ['auth.example.com:443'],
      lookups: [],
    });
  });

  it.each([
    ['https://10.0.0.1/', 'address'],
    ['https://0x7f.1/', 'address'],
    ['https://[::ffff:169.254.169.254]/', 'address'],
    ['https://vault.internal/', 'inner-name'],
    ['https://intranet/', 'inner-name'],
    ['https://metadata.google.internal/', 'inner-name'],
  ])('is still refused for %s', async (url, kind) => {
    expect(await askedOf(url)).toMatchObject({ outcome: { kind }, tunnels: [], lookups: [] });
  });

  it('does not reach this machine', async () => {
    const { outcome, tunnels } = await askedOf('https://localhost/');
    expect(outcome).toMatchObject({ kind: 'unreachable', code: 'ENOTFOUND' });
    expect(tunnels).toEqual([]);
  });

  it.each([
    ['https://sso.corp/', 'https://mcp.corp/mcp'],
    ['https://mcp.corp/', 'https://mcp.corp/mcp'],
    ['https://10.0.0.2/', 'https://10.0.0.1/mcp'],
  ])('to %s is allowed if the server is there: %s', async (url, home) => {
    const { outcome } = await askedOf(url, new URL(home));
    expect(outcome).toMatchObject({ kind: 'unreachable', code: 'PROXY_403' });
  });

  it('reports an invalid proxy address', async () => {
    const network = networkSettings({ env: { HTTPS_PROXY: 'http://' }, cwd: '/' });
    expect(await outcomeOf('https://a.example.com/', { network })).toMatchObject({
      kind: 'unreachable',
      code: 'ERR_INVALID_URL',
    });
  });
});
