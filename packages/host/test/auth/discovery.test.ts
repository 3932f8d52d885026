import { err, type Result } from '@plugboard/base';
import {
  type AuthorizationServerOptions,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type AuthorizationProblem,
  type AuthorizationServer,
  discoverAuthorization,
} from '../../src/protocol/index.ts';
import { plainFetch } from './plain-fetch.ts';

interface DiscoveryReport {
  readonly found: Result<AuthorizationServer, AuthorizationProblem>;
  /** The requested addresses for the metadata of the resource, and of the authorization server. */
  readonly asked: readonly string[];
  readonly issuer: string;
  readonly url: string;
}

type Stage = AuthorizationServerOptions & {
  readonly server?: Omit<ProtectedServerOptions, 'issuer'>;
  /** The address in the challenge, as a path of the server. */
  readonly challenged?: string;
  readonly metadataUrl?: string;
};

async function found({
  server: options,
  challenged,
  metadataUrl,
  ...others
}: Stage): Promise<DiscoveryReport> {
  await using issuer = await startAuthorizationServer(others);
  await using server = await startProtectedServer({ issuer, ...options });
  const { origin } = new URL(server.url);
  const asked: string[] = [];
  const result = await discoverAuthorization(server.url, {
    fetch: plainFetch(({ origin: at, pathname }) => {
      asked.push(`${at === origin ? 'server' : 'issuer'} ${pathname}`);
    }),
    ...(challenged === undefined ? {} : { resourceMetadataUrl: new URL(challenged, server.url) }),
    ...(metadataUrl === undefined ? {} : { metadataUrl: `${issuer.origin}${metadataUrl}` }),
  });
  return { found: result, asked, issuer: issuer.issuer, url: server.url };
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

describe('the metadata of a protected resource', () => {
  verifies('AUT-01');

  const first = (asked: readonly string[]): readonly string[] =>
    asked.filter((place) => place.startsWith('server '));

  it('is read from the address in the challenge', async () => {
    const { found: result, asked } = await found({
      server: { metadataAt: ['/about', 'path'] },
      challenged: '/about',
    });
    expect(result.ok).toBe(true);
    expect(first(asked)).toEqual(['server /about']);
  });

  it('is looked up at the path of the server, then at its root', async () => {
    const atPath = await found({ server: { metadataAt: ['path'] } });
    expect(atPath.found.ok).toBe(true);
    expect(first(atPath.asked)).toEqual([`server ${WELL_KNOWN}/mcp`]);
    const atRoot = await found({ server: { metadataAt: ['root'] } });
    expect(atRoot.found.ok).toBe(true);
    expect(first(atRoot.asked)).toEqual([`server ${WELL_KNOWN}/mcp`, `server ${WELL_KNOWN}`]);
  });

  it('is looked up there also if the challenge leads nowhere', async () => {
    const { found: result, asked } = await found({
      server: { metadataAt: ['root'] },
      challenged: '/nowhere',
    });
    expect(result.ok).toBe(true);
    expect(first(asked)).toEqual([
      'server /nowhere',
      `server ${WELL_KNOWN}/mcp`,
      `server ${WELL_KNOWN}`,
    ]);
  });

  it.each([
    { name: 'another origin', resource: 'https://elsewhere.example/mcp' },
    { name: 'another path', resource: '/other' },
    { name: 'a longer path', resource: '/mcp/below' },
  ])('is ignored if it is that of $name', async ({ resource }) => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer });
    const named = resource.startsWith('/') ? new URL(resource, server.url).href : resource;
    server.misbehave({ metadata: { resource: named } });
    const result = await discoverAuthorization(server.url, {
      fetch: plainFetch(),
    });
    expect(result).toEqual(err({ kind: 'resource-mismatch', resource: named }));
    // The server that it named got no request.
    expect(issuer.requests).toEqual([]);
  });

  it('may be that of a parent path, which tokens are then requested for', async () => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer });
    const { origin } = new URL(server.url);
    server.misbehave({ metadata: { resource: origin } });
    const result = await discoverAuthorization(server.url, {
      fetch: plainFetch(),
    });
    expect(result).toMatchObject({ ok: true, value: { resource: origin } });
  });
});

describe('the metadata of an authorization server', () => {
  verifies('AUT-01');

  const second = (asked: readonly string[]): readonly string[] =>
    asked.filter((place) => place.startsWith('issuer '));
  const OAUTH = 'issuer /.well-known/oauth-authorization-server';
  const OIDC = 'issuer /.well-known/openid-configuration';

  it.each([
    { at: 'oauth', path: '/tenant', places: [`${OAUTH}/tenant`] },
    { at: 'oidc', path: '/tenant', places: [`${OAUTH}/tenant`, `${OIDC}/tenant`] },
    {
      at: 'oidc-appended',
      path: '/tenant',
      places: [
        `${OAUTH}/tenant`,
        `${OIDC}/tenant`,
        'issuer /tenant/.well-known/openid-configuration',
      ],
    },
    { at: 'oauth', path: undefined, places: [OAUTH] },
    { at: 'oidc', path: undefined, places: [OAUTH, OIDC] },
  ] as const)('is found as $at with path $path, in the order of the revision', async (stage) => {
    const {
      found: result,
      asked,
      issuer,
    } = await found({
      discovery: [stage.at],
      ...(stage.path === undefined ? {} : { issuerPath: stage.path }),
    });
    expect(result).toMatchObject({ ok: true, value: { issuer } });
    expect(second(asked)).toEqual(stage.places);
  });

  it.each([
    { name: 'somebody else', of: () => 'https://elsewhere.example' },
    { name: 'another path', of: (issuer: string) => `${issuer}/other` },
    { name: 'the same in capitals', of: (issuer: string) => issuer.replace('http', 'HTTP') },
    { name: 'the same with a slash more', of: (issuer: string) => `${issuer}/` },
  ])('is ignored if its issuer is $name', async ({ of }) => {
    await using issuer = await startAuthorizationServer({ issuerPath: '/tenant' });
    await using server = await startProtectedServer({ issuer });
    issuer.misbehave({ metadata: { issuer: of(issuer.issuer) } });
    const result = await discoverAuthorization(server.url, {
      fetch: plainFetch(),
    });
    expect(result).toEqual(err({ kind: 'issuer-mismatch', where: 'metadata' }));
  });

  it('must exist if the server names one: no endpoint is guessed', async () => {
    const { found: result, issuer } = await found({ discovery: [] });
    expect(result).toEqual(err({ kind: 'bad-answer', url: issuer }));
  });

  it('is read from the address in the entry, and from nowhere else', async () => {
    const {
      found: result,
      asked,
      issuer,
    } = await found({
      discovery: [],
      metadataPath: '/published/here',
      metadataUrl: '/published/here',
    });
    expect(result).toMatchObject({ ok: true, value: { issuer } });
    expect(second(asked)).toEqual(['issuer /published/here']);
  });
});
