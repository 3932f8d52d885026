// Runs an MCP server (a scripted one, on any network transport) that wants a token of an authorization
// server of this process, and tells clients where to get it. It lives in the process of the test, which
// must close it.

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

/** The paths that want a token: first the resource, then what else belongs to it. */
const PATHS = { http: ['/mcp'], sse: ['/sse', '/messages'], ws: ['/mcp'] } as const;

/** A WebSocket asks for a token when it is opened, and never again. */
export type ProtectedTransport = keyof typeof PATHS;

export interface ProtectedServerOptions {
  /** Whose tokens count. */
  readonly issuer: AuthorizationServer;
  /** For the dates of DPoP proofs; whether a token expired is the issuer's to know. */
  readonly clock?: Clock;
  /** How it is known to clients, where a proxy leads them to it: `https://example.com`. */
  readonly publicOrigin?: string;
  /** Streamable HTTP by default. */
  readonly transport?: ProtectedTransport;
  /** What the MCP server itself does. */
  readonly script?: HttpScript;
  readonly scopes?: RequiredScopes;
  readonly audience?: 'checked' | 'any';
  readonly dpop?: 'off' | 'accepted' | 'required';
  readonly dpopNonce?: 'off' | 'required';
  /** Where its metadata stands; the challenge names the first. Both well-known places by default. */
  readonly metadataAt?: readonly MetadataPlace[];
  /** Listed in the metadata; left out by default. */
  readonly scopesSupported?: readonly string[];
  readonly misbehaviour?: ProtectedServerMisbehaviour;
}

/** A well-known place, or a path of the server's own. */
export type MetadataPlace = 'path' | 'root' | `/${string}`;

export interface RequiredScopes {
  /** For anything at all. */
  readonly always?: readonly string[];
  /** For requests of a method, such as `tools/list`. */
  readonly methods?: Readonly<Record<string, readonly string[]>>;
  /** For calls of a tool. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
}

export interface ProtectedServerMisbehaviour {
  /** Written over the fields of its metadata: `resource`, `authorization_servers`. */
  readonly metadata?: JsonObject;
  /** `absent`: the challenge does not say where the metadata is. Else it says this. */
  readonly resourceMetadata?: 'absent' | { readonly address: string };
  /** The challenge names no scopes. */
  readonly challengeScopes?: 'absent';
  /** The whole header, whatever the reason; `none`: a 401 without one. */
  readonly challenge?: 'none' | { readonly header: string };
  /** Good tokens are refused as well, as servers do that never learned of them. */
  readonly refusesAll?: 'invalid-token' | 'insufficient-scope';
  /** The MCP endpoint sends every request elsewhere, token or not. */
  readonly redirect?: { readonly to: string; readonly status: 302 | 307 | 308 };
  /** Of the metadata. What can go wrong in MCP itself is in `script.http`. */
  readonly faults?: readonly (Fault & { readonly at: 'resource-metadata' })[];
}

export interface ProtectedServer extends AsyncDisposable {
  readonly url: string;
  /** What its tokens are for: its address on HTTP, whatever the transport. */
  readonly resource: string;
  readonly resourceMetadataUrl: string;
  /** Every request so far, let in or not. */
  readonly requests: readonly LoggedRequest[];
  count(filter: RequestFilter): number;
  /** The tokens of the requests that were let in, in their order. */
  readonly admitted: readonly AccessToken[];
  /** From now on its metadata names this server, and only that one's tokens count. */
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
