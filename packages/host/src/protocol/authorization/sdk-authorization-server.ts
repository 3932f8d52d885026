// The steps of OAuth over the SDK's functions, for one discovered authorization server. Adds the checks that the SDK leaves
// to its callers: the addresses that users are sent to, and that PKCE is offered.

import {
  type AuthorizationServerMetadata,
  type DpopSession,
  exchangeAuthorization,
  fetchToken,
  type OAuthClientProvider,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  requestJwtAuthorizationGrant,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { err, ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem } from '../neutral/authorization.ts';
import type {
  AuthorizationServer,
  DeviceCode,
  DevicePoll,
  Fetch,
  MachineGrant,
  OAuthClient,
  RegistrationRequest,
  SignInRequest,
  Tokens,
} from '../neutral/authorization-server.ts';
import { authenticating, informationOf } from './client-authentication.ts';
import { askForDeviceCode } from './device-code.ts';
import { sessionOf } from './dpop.ts';
import { authorizationProblem } from './authorization-problem.ts';
import { revokeToken } from './revoke-token.ts';
import { isSafeAddress } from '../network/url-guard.ts';

export interface FoundServer {
  readonly url: string;
  /** Absent for servers of 2025-03-26 that publish none; their endpoints have fixed addresses. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The endpoint that issues device codes; the SDK does not define this field. */
  readonly deviceEndpoint: string | undefined;
  /** The identity to use if it differs from the issuer in the metadata. */
  readonly identity?: string;
  readonly resource: string | undefined;
  readonly resourceScopes: readonly string[] | undefined;
  readonly requiresDpop: boolean;
  readonly fetch: Fetch;
}

const S256 = 'S256';
const ENDPOINTS = ['token_endpoint', 'authorization_endpoint'] as const;

export function sdkAuthorizationServer(found: FoundServer): AuthorizationServer {
  return new SdkAuthorizationServer(found);
}

type Answer<T> = Promise<Result<T, AuthorizationProblem>>;
type Request<
  K extends
    | 'redeem'
    | 'refresh'
    | 'grant'
    | 'askForDeviceCode'
    | 'redeemDeviceCode'
    | 'revoke'
    | 'exchangeIdToken',
> = Parameters<AuthorizationServer[K]>[0];

class SdkAuthorizationServer implements AuthorizationServer {
  readonly issuer: string;
  readonly resource: string | undefined;
  readonly resourceScopes: readonly string[] | undefined;
  readonly requiresDpop: boolean;
  readonly #found: FoundServer;

  constructor(found: FoundServer) {
    this.#found = found;
    this.issuer = found.identity ?? this.#namedIssuer;
    this.resource = found.resource;
    this.resourceScopes = found.resourceScopes;
    this.requiresDpop = found.requiresDpop;
  }

  get #namedIssuer(): string {
    return this.#found.metadata?.issuer ?? this.#found.url;
  }

  get offersOfflineAccess(): boolean {
    return this.#found.metadata?.scopes_supported?.includes('offline_access') === true;
  }

  get takesClientMetadataUrl(): boolean {
    return this.#found.metadata?.client_id_metadata_document_supported === true;
  }

  get registersClients(): boolean {
    const { metadata } = this.#found;
    return metadata === undefined || metadata.registration_endpoint !== undefined;
  }

  get offersDeviceCode(): boolean {
    return this.#found.deviceEndpoint !== undefined && this.#found.metadata !== undefined;
  }

  register({ redirectUrl, name, scope }: RegistrationRequest): Answer<OAuthClient> {
    return this.#step('registration_endpoint', async (server) => {
      // The 2026-07-28 revision prefers metadata documents, but most servers support only this.
      const registered = await registerClient(server.url, {
        ...server,
        clientMetadata: {
          redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
          client_name: name,
          application_type: 'native',
          grant_types: [
            redirectUrl === undefined ? DEVICE_CODE : 'authorization_code',
            'refresh_token',
          ],
          response_types: redirectUrl === undefined ? [] : ['code'],
          ...(this.#takesPublicClients ? { token_endpoint_auth_method: 'none' } : {}),
        },
        ...(scope === undefined ? {} : { scope }),
      });
      const {
        client_id: id,
        client_secret: secret,
        token_endpoint_auth_method: method,
      } = registered;
      return {
        id,
        ...(secret === undefined ? {} : { secret }),
        ...(method === undefined ? {} : { authMethod: method }),
      };
    });
  }

  /** A server that lists no methods accepts the one that it assigns. */
  get #takesPublicClients(): boolean {
    const methods = this.#found.metadata?.token_endpoint_auth_methods_supported;
    return methods === undefined || methods.includes('none');
  }

  async begin({
    client,
    redirectUrl,
    scope,
    state,
  }: SignInRequest): Answer<{ readonly url: URL; readonly verifier: string }> {
    const { metadata, fetch } = this.#found;
    // Absent means not offered: https://www.rfc-editor.org/rfc/rfc8414#section-2
    const methods = metadata?.code_challenge_methods_supported ?? [];
    if (metadata !== undefined && !methods.includes(S256)) {
      return err({ kind: 'no-pkce', issuer: this.issuer });
    }
    // Both are checked first, so that the user does not start a sign-in that cannot be completed.
    const unsafe = ENDPOINTS.find(
      (field) => metadata !== undefined && !isSafeAddress(metadata[field], fetch.homes),
    );
    if (unsafe !== undefined) return err({ kind: 'unsafe-address', field: unsafe });
    return this.#step('authorization_endpoint', async (server) => {
      const { authorizationUrl: url, codeVerifier: verifier } = await startAuthorization(
        server.url,
        {
          ...server,
          clientInformation: informationOf(client),
          redirectUrl,
          state,
          ...(scope === undefined ? {} : { scope }),
        },
      );
      return { url, verifier };
    });
  }

  checkRedirectIssuer(iss: string | undefined): Result<void, AuthorizationProblem> {
    const { metadata } = this.#found;
    try {
      validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: metadata?.issuer,
        issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
      });
      return ok(undefined);
    } catch (thrown) {
      return err(authorizationProblem(thrown, this.issuer, 'iss'));
    }
  }

  redeem({ client, dpop, ...request }: Request<'redeem'>): Answer<Tokens> {
    return this.#tokens((server) =>
      exchangeAuthorization(server.url, {
        ...server,
        ...authenticating(client),
        ...proving(sessionOf(dpop)),
        authorizationCode: request.code,
        codeVerifier: request.verifier,
        redirectUri: request.redirectUrl,
        ...(request.iss === undefined ? {} : { iss: request.iss }),
      }),
    );
  }

  refresh({ client, dpop, refreshToken }: Request<'refresh'>): Answer<Tokens> {
    return this.#tokens((server) =>
      refreshAuthorization(server.url, {
        ...server,
        ...authenticating(client),
        ...proving(sessionOf(dpop)),
        refreshToken,
      }),
    );
  }

  grant({ client, dpop, grant, scope }: Request<'grant'>): Answer<Tokens> {
    const session = sessionOf(dpop);
    return this.#tokens((server) =>
      fetchToken(
        machineProvider(client, { grant, issuer: this.#namedIssuer, session }),
        server.url,
        {
          ...server,
          ...(scope === undefined ? {} : { scope }),
        },
      ),
    );
  }

  async revoke(request: Request<'revoke'>): Answer<'revoked' | 'not-offered'> {
    const { metadata, fetch } = this.#found;
    // Also read from OpenID Connect metadata, where the SDK's types omit it.
    const { revocation_endpoint: endpoint } = (metadata ?? {}) as Record<string, unknown>;
    if (metadata === undefined || typeof endpoint !== 'string') return ok('not-offered');
    const field = 'revocation_endpoint';
    if (!isSafeAddress(endpoint, fetch.homes)) return err({ kind: 'unsafe-address', field });
    return this.#step(field, async () => {
      await revokeToken({ ...request, endpoint, metadata, fetch });
      return 'revoked' as const;
    });
  }

  async askForDeviceCode(request: Request<'askForDeviceCode'>): Answer<DeviceCode> {
    const { metadata, deviceEndpoint: url, resource, fetch } = this.#found;
    if (metadata === undefined || url === undefined) {
      return err({ kind: 'device-not-offered', issuer: this.issuer });
    }
    return askForDeviceCode({ url, metadata, resource, fetch }, request);
  }

  async redeemDeviceCode(request: Request<'redeemDeviceCode'>): Answer<DevicePoll> {
    const { client, dpop, deviceCode } = request;
    const session = sessionOf(dpop);
    const grant = { kind: 'device-code', deviceCode } as const;
    const polled = await this.#tokens((server) =>
      fetchToken(
        machineProvider(client, { grant, issuer: this.#namedIssuer, session }),
        server.url,
        server,
      ),
    );
    if (polled.ok) return ok({ kind: 'tokens', tokens: polled.value });
    const error = polled.error.kind === 'denied' ? polled.error.error : undefined;
    if (error === 'authorization_pending') return ok({ kind: 'pending' });
    if (error === 'slow_down') return ok({ kind: 'slow-down' });
    return error === 'expired_token'
      ? err({ kind: 'device-expired', issuer: this.issuer })
      : polled;
  }

  async exchangeIdToken(request: Request<'exchangeIdToken'>): Answer<string> {
    const { client, idToken, audience, resource, scope } = request;
    const tokenEndpoint = this.#found.metadata?.token_endpoint;
    if (tokenEndpoint === undefined) return err({ kind: 'bad-answer', url: this.issuer });
    try {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint,
        audience,
        resource,
        idToken,
        clientId: client.id,
        ...(client.secret === undefined ? {} : { clientSecret: client.secret }),
        ...(scope === undefined ? {} : { scope }),
        fetchFn: this.#found.fetch,
      });
      return ok(jwtAuthGrant);
    } catch (thrown) {
      const problem = authorizationProblem(thrown, this.issuer, 'token_endpoint');
      // The SDK throws a plain error that contains the server's text.
      const isUnclassified = problem.kind === 'bad-answer';
      return err(
        isUnclassified ? { kind: 'denied', issuer: this.issuer, error: 'unknown' } : problem,
      );
    }
  }

  #tokens(ask: (server: StepServer) => Promise<OAuthTokens>): Answer<Tokens> {
    return this.#step('token_endpoint', async (server) => tokensOf(await ask(server)));
  }

  async #step<T>(field: string, work: (server: StepServer) => Promise<T>): Answer<T> {
    const { url, metadata, resource, fetch } = this.#found;
    try {
      return ok(
        await work({
          url,
          fetchFn: fetch,
          ...(metadata === undefined ? {} : { metadata }),
          ...(resource === undefined ? {} : { resource }),
        }),
      );
    } catch (thrown) {
      return err(authorizationProblem(thrown, this.issuer, field));
    }
  }
}

interface StepServer {
  readonly url: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly resource?: string;
  readonly fetchFn: Fetch;
}

function proving(dpop: DpopSession | undefined): { readonly dpop?: DpopSession } {
  return dpop === undefined ? {} : { dpop };
}

/** The SDK's interface for a client without an interactive user. */
function machineProvider(
  client: OAuthClient,
  options: {
    readonly grant: MachineGrant | { readonly kind: 'device-code'; readonly deviceCode: string };
    readonly issuer: string;
    readonly session: DpopSession | undefined;
  },
): OAuthClientProvider {
  const { grant, issuer, session } = options;
  const { clientInformation, addClientAuthentication } = authenticating(client);
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ ...clientInformation, issuer }),
    ...(addClientAuthentication === undefined ? {} : { addClientAuthentication }),
    ...(session === undefined ? {} : { dpop: () => Promise.resolve(session) }),
    prepareTokenRequest: (scope) => {
      const parameters = new URLSearchParams(GRANTS[grant.kind]);
      if (grant.kind === 'device-code') parameters.set('device_code', grant.deviceCode);
      if (grant.kind === 'jwt-bearer') parameters.set('assertion', grant.assertion);
      if (scope !== undefined) parameters.set('scope', scope);
      return parameters;
    },
    tokens: () => undefined,
    saveTokens: () => {},
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  };
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const GRANTS = {
  'client-credentials': { grant_type: 'client_credentials' },
  'jwt-bearer': { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
  'device-code': { grant_type: DEVICE_CODE },
} as const;

function tokensOf(tokens: OAuthTokens): Tokens {
  const { refresh_token: refreshToken, expires_in: seconds, scope, id_token: idToken } = tokens;
  return {
    accessToken: tokens.access_token,
    kind: tokens.token_type.toLowerCase() === 'dpop' ? 'dpop' : 'bearer',
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined ? {} : { expiresInSeconds: seconds }),
    ...(scope === undefined ? {} : { scope }),
    ...(idToken === undefined ? {} : { idToken }),
  };
}
