// A minimal OAuth client that shares no code with the clients under test.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createSigner, type Signer } from '../../src/authorization-server/jwt.ts';
import type { AuthorizationServer } from '../../src/authorization-server/start-authorization-server.ts';

export const REDIRECT = 'http://127.0.0.1:7777/callback';

export type Fields = Record<string, string>;

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export function request(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { connection: 'close', ...(init.headers as Fields | undefined) };
  return fetch(url, { redirect: 'manual', ...init, headers });
}

export async function getJson(url: string): Promise<Reply> {
  return reply(await request(url));
}

export async function postJson(url: string, body: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return reply(await request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

export async function postForm(url: string, fields: Fields, headers: Fields = {}): Promise<Reply> {
  return reply(await request(url, { method: 'POST', headers, body: new URLSearchParams(fields) }));
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  const body = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
  return { status: response.status, body, headers: response.headers };
}

export function endpoint(issuer: AuthorizationServer, name: string): string {
  return issuer.metadata[name] as string;
}

export function token(issuer: AuthorizationServer, fields: Fields, headers: Fields = {}) {
  return postForm(endpoint(issuer, 'token_endpoint'), fields, headers);
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The address to open in a browser; `fields` override those of a valid request, and '' removes one. */
export function authorizationUrl(
  issuer: AuthorizationServer,
  challenge: string,
  fields: Fields = {},
): string {
  const url = new URL(endpoint(issuer, 'authorization_endpoint'));
  const all: Fields = {
    response_type: 'code',
    client_id: 'app',
    redirect_uri: REDIRECT,
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

export async function callback(
  issuer: AuthorizationServer,
  fields: Fields = {},
  { challenge }: Pkce = pkce(),
): Promise<Fields> {
  const location = await issuer.browse(authorizationUrl(issuer, challenge, fields));
  return Object.fromEntries(new URL(location).searchParams);
}

/** Signs in; returns the answer of the token endpoint. */
export async function signIn(
  issuer: AuthorizationServer,
  fields: Fields = {},
  headers: Fields = {},
): Promise<Reply> {
  const proof = pkce();
  const { code = '' } = await callback(issuer, fields, proof);
  return token(issuer, redeem(code, proof), headers);
}

export function redeem(code: string, { verifier }: Pkce): Fields {
  return {
    grant_type: 'authorization_code',
    client_id: 'app',
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
  };
}

export function refresh(issuer: AuthorizationServer, value: unknown, headers: Fields = {}) {
  const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token: String(value) };
  return token(issuer, fields, headers);
}

export interface ProofOptions {
  readonly method?: string;
  readonly url: string;
  readonly nonce?: string | undefined;
  readonly accessToken?: string;
  readonly id?: string;
  readonly seconds?: number;
}

export function dpopProof(signer: Signer, options: ProofOptions): string {
  const { accessToken, nonce } = options;
  const hash = (value: string): string => createHash('sha256').update(value).digest('base64url');
  const claims = {
    jti: options.id ?? randomUUID(),
    htm: options.method ?? 'POST',
    htu: options.url,
    iat: options.seconds ?? Math.floor(Date.now() / 1000),
    ...(nonce === undefined ? {} : { nonce }),
    ...(accessToken === undefined ? {} : { ath: hash(accessToken) }),
  };
  return signer.sign(claims, { typ: 'dpop+jwt', jwk: signer.publicKey as { kty: string } });
}

export interface AssertionOptions {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: string;
  readonly lifetimeSeconds?: number;
  readonly id?: string;
}

export function assertionOf(signer: Signer, options: AssertionOptions): string {
  return signer.sign({
    iss: options.issuer,
    sub: options.subject,
    aud: options.audience,
    jti: options.id ?? randomUUID(),
    exp: Math.floor(Date.now() / 1000) + (options.lifetimeSeconds ?? 60),
  });
}

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw' } };

/** Sends the first request to an MCP server. */
export function initialize(url: string, headers: Fields = {}): Promise<Response> {
  return callMcp(url, { method: 'initialize', params: hello }, headers);
}

export function callMcp(url: string, message: object, headers: Fields = {}): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  return request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

export const app = { id: 'app', redirectUris: [REDIRECT] };

export { createSigner };
