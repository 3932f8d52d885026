// Runs an authorization server on a free port of this machine, in the process of the test, which must close it. Routes
// requests to the endpoints and records all of them.

import type { JsonWebKey } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CodedError, type JsonObject } from '@plugboard/base';
import { bodyOf, listenOnLoopback, stopListening } from '../scripted-peer.ts';
import { type Answer, empty, json } from './answer.ts';
import { AuthorizationEndpoint } from './authorization-endpoint.ts';
import type { Client } from './client-registry.ts';
import {
  decideDevice,
  deviceAuthorizationEndpoint,
  deviceEndpoint,
  pendingDevice,
} from './device-endpoints.ts';
import { FaultPlayer } from './fault-player.ts';
import { metadataOf, metadataPaths, PATHS } from './metadata.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { type AuthorizationServerOptions, type Settings, settingsOf } from './options.ts';
import { type Realm, realmAt } from './realm.ts';
import { registrationEndpoint } from './registration-endpoint.ts';
import {
  type Endpoint,
  fits,
  logged,
  type LoggedRequest,
  type RequestFilter,
} from './request-log.ts';
import { revocationEndpoint } from './revocation-endpoint.ts';
import type { Secret } from './secret-ledger.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import type { AccessToken, RefreshToken } from './token-store.ts';

export interface AuthorizationServer extends AsyncDisposable {
  readonly origin: string;
  /** Where it listens, independent of its public origin. */
  readonly address: string;
  readonly issuer: string;
  /** The keys that verify its id tokens and identity assertions. */
  readonly publicKeys: readonly JsonWebKey[];
  /** The first address of the metadata, by RFC 8414. */
  readonly metadataUrl: string;
  readonly metadata: JsonObject;

  /** Every request so far, in the order of arrival. */
  readonly requests: readonly LoggedRequest[];
  count(filter: RequestFilter): number;
  readonly clients: readonly Client[];
  readonly accessTokens: readonly AccessToken[];
  readonly refreshTokens: readonly RefreshToken[];
  readonly secrets: readonly Secret[];
  /** The values of all secrets that passed through this server. */
  everySecret(): readonly string[];

  /** Serves a document of the test, such as a client's; returns its address. */
  publish(path: `/${string}`, document: JsonObject): string;
  /** Replaces the misbehaviour. */
  misbehave(misbehaviour: Misbehaviour): void;
  /** Changes the signed-in account. */
  signIn(account: string): void;
  /** Changes the decision on the next requests. */
  answerWith(approval: Settings['approval']): void;
  /** Opens the address like a browser; returns the address of the redirect. */
  browse(authorizationUrl: string): Promise<string>;
  approveDevice(userCode: string): void;
  denyDevice(userCode: string): void;
  forgetClient(clientId: string): void;
  /** Revokes every access token, but no refresh tokens. */
  revokeAccessTokens(): void;
  revokeEverything(): void;
  revoke(token: string): void;
  rotateDpopNonce(): void;
  /** The token, if it is valid. */
  findAccessToken(value: string): AccessToken | undefined;
  close(): Promise<void>;
}

export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  const settings = settingsOf(options);
  const server = createServer();
  const port = await listenOnLoopback(server);
  const address = `http://${settings.host}:${port}`;
  const realm = realmAt(settings.publicOrigin ?? address, settings);
  return interfaceOf(realm, new Listener(server, realm), address);
}

type Handler = (request: LoggedRequest) => Promise<Answer> | Answer;

type Routes = Map<string, { readonly endpoint: Endpoint; readonly handle: Handler }>;

class Listener {
  readonly requests: LoggedRequest[] = [];
  readonly #server: Server;
  readonly #realm: Realm;
  readonly #routes: Routes;
  readonly #closed = new AbortController();
  readonly #faults = new FaultPlayer(this.#closed.signal);

  constructor(server: Server, realm: Realm) {
    this.#server = server;
    this.#realm = realm;
    this.#routes = routesOf(realm);
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  publish(path: string, document: JsonObject): string {
    this.#routes.set(path, { endpoint: 'published', handle: () => json(document) });
    return `${this.#realm.origin}${path}`;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await stopListening(this.#server);
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(message);
    if (body === undefined) return;
    const { method = '', url: path = '', headers } = message;
    const route = this.#routes.get(path.split('?')[0] ?? '');
    const request = logged({ endpoint: route?.endpoint ?? 'unknown', method, path, headers, body });
    this.requests.push(request);
    await this.#faults.respond({
      request,
      response,
      faults: this.#realm.now.misbehaviour.faults ?? [],
      answer: () => route?.handle(request) ?? empty(404),
    });
  }
}

function routesOf(realm: Realm): Routes {
  const authorization = new AuthorizationEndpoint(realm);
  const own: readonly [string, Endpoint, Handler][] = [
    [PATHS.authorization, 'authorization', (request) => authorization.open(request)],
    [PATHS.decision, 'decision', (request) => authorization.decide(request)],
    [PATHS.token, 'token', (request) => tokenEndpoint(request, realm)],
    [PATHS.registration, 'registration', (request) => registrationEndpoint(request, realm)],
    [PATHS.revocation, 'revocation', (request) => revocationEndpoint(request, realm)],
    [PATHS.device, 'device', (request) => deviceEndpoint(request, realm)],
    [
      PATHS.deviceAuthorization,
      'device-authorization',
      (request) => deviceAuthorizationEndpoint(request, realm),
    ],
    [PATHS.jwks, 'jwks', () => json({ keys: [realm.signer.publicKey as JsonObject] })],
  ];
  const { issuerPath } = realm.settings;
  const routes: Routes = new Map();
  for (const [path, endpoint, handle] of own) routes.set(issuerPath + path, { endpoint, handle });
  for (const path of metadataPaths(realm.settings)) {
    routes.set(path, { endpoint: 'metadata', handle: () => json(metadataOf(realm)) });
  }
  return routes;
}

function interfaceOf(realm: Realm, listener: Listener, address: string): AuthorizationServer {
  const { tokens, secrets, now } = realm;
  const decide = (userCode: string, decision: 'approved' | 'denied'): void => {
    const request = pendingDevice(realm, userCode);
    if (request === undefined) {
      throw new CodedError('unknown-user-code', `no device waits with ${userCode}`, {
        data: { userCode },
      });
    }
    decideDevice(realm, request, decision);
  };
  return {
    origin: realm.origin,
    address,
    issuer: realm.issuer,
    publicKeys: [realm.signer.publicKey],
    metadataUrl: `${realm.origin}${metadataPaths(realm.settings)[0] ?? ''}`,
    get metadata() {
      return metadataOf(realm);
    },
    requests: listener.requests,
    count: (filter) => listener.requests.filter((request) => fits(request, filter)).length,
    get clients() {
      return realm.clients.all;
    },
    get accessTokens() {
      return tokens.accessTokens;
    },
    get refreshTokens() {
      return tokens.refreshTokens;
    },
    secrets: secrets.all,
    everySecret: () => secrets.all.map(({ value }) => value),
    publish: (path, document) => listener.publish(path, document),
    misbehave: (misbehaviour) => void (now.misbehaviour = misbehaviour),
    signIn: (account) => void (now.account = account),
    answerWith: (approval) => void (now.approval = approval),
    browse: (url) => browse(url.replace(realm.origin, address)),
    approveDevice: (userCode) => decide(userCode, 'approved'),
    denyDevice: (userCode) => decide(userCode, 'denied'),
    forgetClient: (clientId) => realm.clients.forget(clientId),
    revokeAccessTokens: () => tokens.revokeAccessTokens(),
    revokeEverything: () => tokens.revokeEverything(),
    revoke: (token) => tokens.revoke(token),
    rotateDpopNonce: () => realm.proofs.rotateNonce(),
    findAccessToken: (value) => tokens.findAccessToken(value),
    close: () => listener.close(),
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

async function browse(authorizationUrl: string): Promise<string> {
  const response = await fetch(authorizationUrl, {
    redirect: 'manual',
    headers: { connection: 'close' },
  });
  const page = await response.text();
  const location = response.headers.get('location');
  if (location !== null) return location;
  throw new CodedError('no-redirect', `answered ${response.status}: ${page}`, {
    data: { status: response.status, page },
  });
}
