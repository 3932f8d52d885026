import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { startProtectedServer } from '../../src/authorization-server/start-protected-server.ts';
import type { AuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';
import { app, callMcp, getJson, initialize, request, signIn } from './raw-oauth.ts';

const clients = [app];

async function bearer(
  issuer: AuthorizationServer,
  fields: Record<string, string>,
): Promise<{ authorization: string }> {
  const { body } = await signIn(issuer, fields);
  return { authorization: `Bearer ${String(body['access_token'])}` };
}

async function refusal(response: Promise<Response>): Promise<[number, string | null]> {
  const { status, headers } = await response;
  return [status, headers.get('www-authenticate')];
}

describe('a protected server', () => {
  it('states where its metadata is, which states where tokens are issued', async () => {
    await using issuer = await startAuthorizationServer();
    const scopes = { always: ['read'] };
    const options = { issuer, scopes, scopesSupported: ['read', 'write'] };
    await using server = await startProtectedServer(options);
    const place = server.resourceMetadataUrl;
    expect(await refusal(initialize(server.url))).toEqual([
      401,
      `Bearer scope="read", resource_metadata="${place}"`,
    ]);
    expect(place).toBe(server.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'));
    expect((await getJson(place)).body).toEqual({
      resource: server.url,
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read', 'write'],
    });
    expect(server.requests.map(({ endpoint }) => endpoint)).toEqual(['mcp', 'resource-metadata']);
  });

  it('accepts a token for itself, and is then an MCP server', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer });
    const headers = await bearer(issuer, { resource: server.url });
    const response = await initialize(server.url, headers);
    const { result } = (await response.json()) as { result: object };
    expect([response.status, result]).toMatchObject([200, { protocolVersion: '2025-11-25' }]);
    expect(server.admitted).toEqual([issuer.accessTokens[0]]);
  });

  it.each([
    ['was never issued', () => Promise.resolve({ authorization: 'Bearer made-up' })],
    ['is for no resource', (issuer: AuthorizationServer) => bearer(issuer, {})],
    [
      'is for another resource',
      (issuer: AuthorizationServer) => bearer(issuer, { resource: 'https://other.example/mcp' }),
    ],
  ])('refuses a token that %s', async (_, make) => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer });
    const [status, challenge] = await refusal(initialize(server.url, await make(issuer)));
    expect([status, challenge]).toEqual([
      401,
      expect.stringContaining('Bearer error="invalid_token"') as string,
    ]);
  });

  it('refuses a token in the query, and an expired one', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer });
    const headers = await bearer(issuer, { resource: server.url });
    const value = headers.authorization.slice('Bearer '.length);
    expect((await initialize(`${server.url}?access_token=${value}`)).status).toBe(401);
    issuer.revokeAccessTokens();
    expect((await initialize(server.url, headers)).status).toBe(401);
  });

  it('demands more scopes for some methods and tools, and names them all', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    const scopes = { always: ['read'], methods: { ping: ['write'] }, tools: { echo: ['admin'] } };
    await using server = await startProtectedServer({ issuer, scopes });
    const headers = await bearer(issuer, { resource: server.url, scope: 'read' });
    const challenge = (scope: string): unknown[] => [
      403,
      `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${server.resourceMetadataUrl}"`,
    ];
    expect((await initialize(server.url, headers)).status).toBe(200);
    const ping = callMcp(server.url, { method: 'ping' }, headers);
    expect(await refusal(ping)).toEqual(challenge('read write'));
    const params = { name: 'echo', arguments: {} };
    const call = callMcp(server.url, { method: 'tools/call', params }, headers);
    expect(await refusal(call)).toEqual(challenge('read admin'));
  });

  it('serves its metadata where configured', async () => {
    await using issuer = await startAuthorizationServer();
    await using root = await startProtectedServer({ issuer, metadataAt: ['root'] });
    const wellKnown = new URL('/.well-known/oauth-protected-resource', root.url).href;
    expect(root.resourceMetadataUrl).toBe(wellKnown);
    expect((await request(`${wellKnown}/mcp`)).status).toBe(404);
    await using own = await startProtectedServer({ issuer, metadataAt: ['/about.json'] });
    expect((await getJson(new URL('/about.json', own.url).href)).body['resource']).toBe(own.url);
  });

  it('can move to another authorization server', async () => {
    await using old = await startAuthorizationServer({ clients });
    await using young = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer: old });
    const resource = { resource: server.url };
    const [before, after] = [await bearer(old, resource), await bearer(young, resource)];
    expect((await initialize(server.url, before)).status).toBe(200);
    server.moveTo(young);
    const { body } = await getJson(server.resourceMetadataUrl);
    expect(body['authorization_servers']).toEqual([young.issuer]);
    expect((await initialize(server.url, before)).status).toBe(401);
    expect((await initialize(server.url, after)).status).toBe(200);
  });
});

describe('a misbehaving protected server', () => {
  it('claims to be another resource, or to have another authorization server', async () => {
    await using issuer = await startAuthorizationServer();
    const metadata = {
      resource: 'https://bank.example/',
      authorization_servers: ['https://evil/'],
    };
    await using server = await startProtectedServer({ issuer, misbehaviour: { metadata } });
    expect((await getJson(server.resourceMetadataUrl)).body).toMatchObject(metadata);
  });

  it.each([
    [
      'points to an inner address',
      { resourceMetadata: { address: 'http://169.254.169.254/latest' } },
      [401, 'Bearer scope="read", resource_metadata="http://169.254.169.254/latest"'],
    ],
    [
      'does not say where its metadata is',
      { resourceMetadata: 'absent' },
      [401, 'Bearer scope="read"'],
    ],
    [
      'says nothing of scopes',
      { challengeScopes: 'absent', resourceMetadata: 'absent' },
      [401, 'Bearer'],
    ],
    ['challenges in its own words', { challenge: { header: 'Basic' } }, [401, 'Basic']],
    ['does not challenge at all', { challenge: 'none' }, [401, null]],
  ] as const)('%s', async (_, misbehaviour, answer) => {
    await using issuer = await startAuthorizationServer();
    const scopes = { always: ['read'] };
    await using server = await startProtectedServer({ issuer, scopes, misbehaviour });
    expect(await refusal(initialize(server.url))).toEqual(answer);
  });

  it('refuses valid tokens forever', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer });
    const headers = await bearer(issuer, { resource: server.url });
    server.misbehave({ refusesAll: 'invalid-token' });
    expect((await initialize(server.url, headers)).status).toBe(401);
    server.misbehave({ refusesAll: 'insufficient-scope' });
    expect((await initialize(server.url, headers)).status).toBe(403);
    server.misbehave({});
    expect((await initialize(server.url, headers)).status).toBe(200);
  });

  it('accepts a token of any resource', async () => {
    await using issuer = await startAuthorizationServer({ clients });
    await using server = await startProtectedServer({ issuer, audience: 'any' });
    expect((await initialize(server.url, await bearer(issuer, {}))).status).toBe(200);
  });

  it('redirects requests elsewhere', async () => {
    await using issuer = await startAuthorizationServer();
    const redirect = { to: 'http://127.0.0.1:1/steal', status: 307 } as const;
    await using server = await startProtectedServer({ issuer, misbehaviour: { redirect } });
    const response = await initialize(server.url, { authorization: 'Bearer mine' });
    expect([response.status, response.headers.get('location')]).toEqual([307, redirect.to]);
  });

  it('serves broken metadata', async () => {
    await using issuer = await startAuthorizationServer();
    await using server = await startProtectedServer({
      issuer,
      misbehaviour: {
        faults: [{ at: 'resource-metadata', kind: 'status', status: 500, times: 1 }],
      },
    });
    expect((await request(server.resourceMetadataUrl)).status).toBe(500);
    expect((await request(server.resourceMetadataUrl)).status).toBe(200);
  });
});
