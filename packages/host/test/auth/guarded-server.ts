// A server with one tool behind an authorization server of its own, both on loopback, for tests that
// want one of them to misbehave. Tokens live for as long as a test says, refresh tokens are used once,
// and everything that was asked for is counted.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Misbehaviour {
  /** Merged into the metadata; `undefined` takes a field away. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly resourceMetadata?: Readonly<Record<string, unknown>>;
  /** Added to the redirect, in place of what belongs there. */
  readonly redirect?: Readonly<Record<string, string>>;
  readonly expiresIn?: number;
  /** The scope that a call needs; other requests need none. */
  readonly callScope?: string;
  /** What the token endpoint says to a refresh. */
  readonly refresh?: { readonly status: number; readonly error: string };
  /** In place of the url of the metadata in the challenge. */
  readonly challenge?: string;
}

export interface GuardedServer extends AsyncDisposable {
  readonly url: string;
  readonly issuer: string;
  /** How often each endpoint was asked, and token requests by their grant. */
  readonly counts: Readonly<Record<string, number>>;
  readonly tokenRequests: readonly URLSearchParams[];
  readonly authorizations: readonly URLSearchParams[];
  readonly registrations: readonly Record<string, unknown>[];
  /** The `Authorization` of each request to the server. */
  readonly presented: readonly (string | undefined)[];
  behave(how: Misbehaviour): void;
  /** No token that was given so far is taken any more. */
  revoke(): void;
}

interface Grant {
  readonly scope: string;
  readonly challenge?: string;
}

export async function startGuarded(first: Misbehaviour = {}): Promise<GuardedServer> {
  let how = first;
  const counts: Record<string, number> = {};
  const tokenRequests: URLSearchParams[] = [];
  const authorizations: URLSearchParams[] = [];
  const registrations: Record<string, unknown>[] = [];
  const presented: (string | undefined)[] = [];
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const accessTokens = new Map<string, Grant>();
  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);

  const issue = (grant: Grant, withRefresh: boolean): Record<string, unknown> => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    accessTokens.set(access, grant);
    if (withRefresh) refreshTokens.set(refresh, grant);
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: how.expiresIn ?? 3600,
      ...(withRefresh ? { refresh_token: refresh } : {}),
      ...(grant.scope === '' ? {} : { scope: grant.scope }),
      ...(grant.scope.includes('openid') ? { id_token: ID_TOKEN } : {}),
    };
  };

  const token = (body: URLSearchParams): [number, Record<string, unknown>] => {
    tokenRequests.push(body);
    const kind = body.get('grant_type') ?? '';
    count(kind);
    if (kind === 'client_credentials') return [200, issue({ scope: '' }, false)];
    if (kind === JWT_BEARER) {
      const isVouched = VOUCHED.has(body.get('assertion') ?? '');
      return isVouched ? [200, issue({ scope: '' }, false)] : [400, { error: 'invalid_grant' }];
    }
    if (kind === TOKEN_EXCHANGE) return vouch(body);
    if (kind === 'refresh_token') {
      if (how.refresh !== undefined) return [how.refresh.status, { error: how.refresh.error }];
      const given = body.get('refresh_token') ?? '';
      const grant = refreshTokens.get(given);
      refreshTokens.delete(given);
      return grant === undefined ? [400, { error: 'invalid_grant' }] : [200, issue(grant, true)];
    }
    const code = body.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant !== undefined && verifier === grant.challenge;
    return isRight ? [200, issue(grant, true)] : [400, { error: 'invalid_grant' }];
  };

  const authorize = (url: URL, response: ServerResponse): void => {
    authorizations.push(url.searchParams);
    const code = randomUUID();
    codes.set(code, {
      scope: url.searchParams.get('scope') ?? '',
      challenge: url.searchParams.get('code_challenge') ?? '',
    });
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    const said = { code, state: url.searchParams.get('state') ?? '', ...how.redirect };
    for (const [name, value] of Object.entries(said)) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  };

  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', base());
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const text = await bodyOf(request);
    count(url.pathname);
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(200, {
          resource: `${base()}/mcp`,
          authorization_servers: [base()],
          ...how.resourceMetadata,
        });
      case '/.well-known/oauth-authorization-server':
        return json(200, { ...metadataOf(base()), ...how.metadata });
      case '/register': {
        const asked = JSON.parse(text) as Record<string, unknown>;
        registrations.push(asked);
        return json(201, { ...asked, client_id: `client-${registrations.length}` });
      }
      case '/authorize':
        return authorize(url, response);
      case '/token':
        return json(...token(new URLSearchParams(text)));
      case '/mcp': {
        presented.push(request.headers.authorization);
        const grant = accessTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
        const place = how.challenge ?? `${base()}/.well-known/oauth-protected-resource/mcp`;
        const named = `resource_metadata="${place}"`;
        if (grant === undefined) return json(401, {}, { 'www-authenticate': `Bearer ${named}` });
        const message = JSON.parse(text || '{}') as { id?: number; method?: string };
        const needed = message.method === 'tools/call' ? (how.callScope ?? '') : '';
        if (needed !== '' && !grant.scope.split(' ').includes(needed)) {
          const said = `Bearer error="insufficient_scope", scope="${needed}", ${named}`;
          return json(403, {}, { 'www-authenticate': said });
        }
        if (message.id === undefined) return void response.writeHead(202).end();
        return json(200, {
          jsonrpc: '2.0',
          id: message.id,
          result: RESULTS[message.method ?? ''] ?? {},
        });
      }
      default:
        return json(404, {});
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base()}/mcp`,
    issuer: base(),
    ...{ counts, tokenRequests, authorizations, registrations, presented },
    behave: (next) => void (how = next),
    revoke: () => accessTokens.clear(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Grants that were given in exchange for who signed in, by whichever of these servers. */
const VOUCHED = new Set(['workload']);
const ID_TOKEN = ['e30', Buffer.from('{"exp":99999999999}').toString('base64url'), ''].join('.');
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

function vouch(body: URLSearchParams): [number, Record<string, unknown>] {
  if (body.get('subject_token') !== ID_TOKEN) return [400, { error: 'invalid_grant' }];
  const grant = `grant-${randomUUID()}`;
  VOUCHED.add(grant);
  const type = 'urn:ietf:params:oauth:token-type:id-jag';
  return [200, { access_token: grant, issued_token_type: type, token_type: 'N_A' }];
}

function metadataOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'seen' }] },
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
