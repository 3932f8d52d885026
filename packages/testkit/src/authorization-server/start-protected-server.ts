// Runs an MCP server (a scripted one, on any network transport) that requires a token of an authorization server in
// this process, and tells clients where to get it. It runs in the process of the test, which must close it.

import type { ServerResponse } from 'node:http';
import { type Clock, isObject, type JsonObject, systemClock } from '@plugboard/base';
import { type HttpGate, type RecordedRequest, startScriptedHttp } from '../scripted-http-server.ts';
import type { HttpScript } from '../scripted-server/script.ts';
import { startScriptedSse } from '../scripted-sse-server.ts';
import { startScriptedWs } from '../scripted-ws-server.ts';
import { type Access, checkAccess } from './access-check.ts';
import { type Answer, json, redirect, send } from './answer.ts';
import { challengeFor } from './challenge.ts';
import { ProofChecker } from './dpop-proof.ts';
import { FaultPlayer } from './fault-player.ts';
import type { Fault } from './misbehaviour.ts';
import { fits, logged, type LoggedRequest, parsed, type RequestFilter } from './request-log.ts';
import { resourceMetadataOf, resourceMetadataPath } from './resource-metadata.ts';
import type { AuthorizationServer } from './start-authorization-server.ts';
import type { AccessToken } from './token-store.ts';

/** The paths that require a token: first the resource, then others. */
const PATHS = { http: ['/mcp'], sse: ['/sse', '/messages'], ws: ['/mcp'] } as const;

/** A WebSocket requires a token only when it is opened. */
export type ProtectedTransport = keyof typeof PATHS;

export interface ProtectedServerOptions {
  /** The issuer of accepted tokens. */
  readonly issuer: AuthorizationServer;
  /** For the dates of DPoP proofs; the issuer decides whether a token has expired. */
  readonly clock?: Clock;
  /** Its origin for clients behind a proxy: `https://example.com`. */
  readonly publicOrigin?: string;
  /** Streamable HTTP by default. */
  readonly transport?: ProtectedTransport;
  /** The behaviour of the MCP server. */
  readonly script?: HttpScript;
  readonly scopes?: RequiredScopes;
  readonly audience?: 'checked' | 'any';
  readonly dpop?: 'off' | 'accepted' | 'required';
  readonly dpopNonce?: 'off' | 'required';
  /** The places of its metadata; the challenge names the first. Both well-known places by default. */
  readonly metadataAt?: readonly MetadataPlace[];
  /** Listed in the metadata; omitted by default. */
  readonly scopesSupported?: readonly string[];
  readonly misbehaviour?: ProtectedServerMisbehaviour;
}

/** A well-known place, or a path of the server's own. */
export type MetadataPlace = 'path' | 'root' | `/${string}`;

export interface RequiredScopes {
  /** For every request. */
  readonly always?: readonly string[];
  /** For requests of a method, such as `tools/list`. */
  readonly methods?: Readonly<Record<string, readonly string[]>>;
  /** For calls of a tool. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
}

export interface ProtectedServerMisbehaviour {
  /** Overrides fields of its metadata: `resource`, `authorization_servers`. */
  readonly metadata?: JsonObject;
  /** The metadata address in the challenge; `absent` omits it. */
  readonly resourceMetadata?: 'absent' | { readonly address: string };
  /** The challenge names no scopes. */
  readonly challengeScopes?: 'absent';
  /** The whole header, for any reason; `none` omits it. */
  readonly challenge?: 'none' | { readonly header: string };
  /** Refuses even valid tokens. */
  readonly refusesAll?: 'invalid-token' | 'insufficient-scope';
  /** Redirects every request of the MCP endpoint, with or without a token. */
  readonly redirect?: { readonly to: string; readonly status: 302 | 307 | 308 };
  /** Faults of the metadata. For faults of MCP, see `script.http`. */
  readonly faults?: readonly (Fault & { readonly at: 'resource-metadata' })[];
}

export interface ProtectedServer extends AsyncDisposable {
  readonly url: string;
  /** The resource of its tokens: its HTTP address, for every transport. */
  readonly resource: string;
  readonly resourceMetadataUrl: string;
  /** Every request so far, admitted or not. */
  readonly requests: readonly LoggedRequest[];
  count(filter: RequestFilter): number;
  /** The tokens of admitted requests, in order. */
  readonly admitted: readonly AccessToken[];
  /** Changes the authorization server, in the metadata and for tokens. */
  moveTo(issuer: AuthorizationServer): void;
  misbehave(misbehaviour: ProtectedServerMisbehaviour): void;
  rotateDpopNonce(): void;
  close(): Promise<void>;
}

export async function startProtectedServer(
  options: ProtectedServerOptions,
): Promise<ProtectedServer> {
  const gate = new Gate(options);
  const server = await START[options.transport ?? 'http'](options.script, gate.pass);
  gate.origin = options.publicOrigin ?? new URL(server.url.replace(/^ws/, 'http')).origin;
  const close = async (): Promise<void> => {
    gate.close();
    await server.close();
  };
  return {
    url: server.url,
    resource: gate.resource,
    resourceMetadataUrl: gate.metadataUrl,
    requests: gate.requests,
    count: (filter) => gate.requests.filter((request) => fits(request, filter)).length,
    admitted: gate.admitted,
    moveTo: (issuer) => void (gate.issuer = issuer),
    misbehave: (misbehaviour) => void (gate.misbehaviour = misbehaviour),
    rotateDpopNonce: () => gate.proofs.rotateNonce(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const START = { http: startScriptedHttp, sse: startScriptedSse, ws: startScriptedWs } as const;

class Gate {
  readonly requests: LoggedRequest[] = [];
  readonly admitted: AccessToken[] = [];
  readonly proofs: ProofChecker;
  issuer: AuthorizationServer;
  misbehaviour: ProtectedServerMisbehaviour;
  /** Known once the server listens. */
  origin = '';
  readonly #options: ProtectedServerOptions;
  readonly #closed = new AbortController();
  readonly #faults = new FaultPlayer(this.#closed.signal);

  constructor(options: ProtectedServerOptions) {
    this.#options = options;
    this.issuer = options.issuer;
    this.misbehaviour = options.misbehaviour ?? {};
    this.proofs = new ProofChecker(options.clock ?? systemClock, {
      nonce: options.dpopNonce ?? 'off',
    });
  }

  close(): void {
    this.#closed.abort();
  }

  get resource(): string {
    return this.origin + this.#paths[0];
  }

  get metadataUrl(): string {
    return this.origin + (this.#metadataPaths()[0] ?? resourceMetadataPath('path', this.#paths[0]));
  }

  get #paths() {
    return PATHS[this.#options.transport ?? 'http'];
  }

  readonly pass: HttpGate = async (recorded, response) => {
    const isMetadata = this.#metadataPaths().includes(recorded.path);
    const asked = recorded.path.split('?')[0];
    const isMcp = this.#paths.some((path) => path === asked);
    const endpoint = isMetadata ? 'resource-metadata' : isMcp ? 'mcp' : 'unknown';
    const { httpMethod: method, path, headers, body } = recorded;
    const request = logged({ endpoint, method, path, headers, body });
    this.requests.push(request);
    if (isMcp) return this.#admit(recorded, response);
    if (!isMetadata) return 'passed';
    const { faults = [] } = this.misbehaviour;
    const answer = (): Answer => json(this.#metadata());
    await this.#faults.respond({ request, response, faults, answer });
    return 'answered';
  };

  #admit(recorded: RecordedRequest, response: ServerResponse): 'answered' | 'passed' {
    const away = this.misbehaviour.redirect;
    if (away !== undefined) {
      send(response, redirect(away.to, away.status));
      return 'answered';
    }
    const access = this.#access(recorded);
    const { nonce } = this.proofs;
    if (nonce !== undefined) response.setHeader('dpop-nonce', nonce);
    if (access.kind === 'allowed') {
      this.admitted.push(access.token);
      return 'passed';
    }
    const { challenge: wrong } = this.misbehaviour;
    const { status, header } = this.#challenge(access);
    const written = typeof wrong === 'object' ? wrong.header : header;
    response.writeHead(status, wrong === 'none' ? {} : { 'www-authenticate': written }).end();
    return 'answered';
  }

  #access({ httpMethod, path, headers, body }: RecordedRequest): Access {
    const scopes = requiredScopes(this.#options.scopes ?? {}, parsed(body));
    const { refusesAll } = this.misbehaviour;
    const request = { method: httpMethod, url: this.origin + path.split('?')[0], headers };
    const access = checkAccess(request, {
      resource: this.resource,
      audience: this.#options.audience ?? 'checked',
      dpop: this.#options.dpop ?? 'accepted',
      scopes,
      proofs: this.proofs,
      find: (token) => this.issuer.findAccessToken(token),
    });
    if (refusesAll === undefined || access.kind !== 'allowed') return access;
    return refusesAll === 'invalid-token'
      ? { kind: 'invalid-token', description: 'never' }
      : { kind: 'insufficient-scope', scopes: [...scopes, 'admin'] };
  }

  #challenge(access: Exclude<Access, { kind: 'allowed' }>): ReturnType<typeof challengeFor> {
    const { resourceMetadata, challengeScopes } = this.misbehaviour;
    const place = resourceMetadata === undefined ? this.metadataUrl : undefined;
    const told = typeof resourceMetadata === 'object' ? resourceMetadata.address : place;
    const always = this.#options.scopes?.always ?? [];
    return challengeFor(access, {
      scheme: this.#options.dpop === 'required' ? 'DPoP' : 'Bearer',
      resourceMetadata: told,
      scopes: challengeScopes === 'absent' ? [] : always,
    });
  }

  #metadata(): JsonObject {
    const { scopesSupported, dpop } = this.#options;
    const binding = dpop === 'required' ? { dpop_bound_access_tokens_required: true } : {};
    return resourceMetadataOf({
      resource: this.resource,
      authorizationServers: [this.issuer.issuer],
      ...(scopesSupported === undefined ? {} : { scopesSupported }),
      fields: { ...binding, ...this.misbehaviour.metadata },
    });
  }

  #metadataPaths(): string[] {
    const places = this.#options.metadataAt ?? ['path', 'root'];
    return places.map((place) =>
      place === 'path' || place === 'root' ? resourceMetadataPath(place, this.#paths[0]) : place,
    );
  }
}

function requiredScopes(required: RequiredScopes, message: unknown): readonly string[] {
  const { always = [], methods = {}, tools = {} } = required;
  const { method, params }: { method?: unknown; params?: unknown } = isObject(message)
    ? message
    : {};
  const { name }: { name?: unknown } = isObject(params) ? params : {};
  const ofTool = method === 'tools/call' ? (tools[String(name)] ?? []) : [];
  return [...new Set([...always, ...(methods[String(method)] ?? []), ...ofTool])];
}
