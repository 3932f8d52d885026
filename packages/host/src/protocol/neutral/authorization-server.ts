// The port for an authorization server that was discovered for a resource, with every step of OAuth. Steps return a
// value or a problem, and keep no state.

import type { Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizedRequest } from './authorization.ts';

/** The fetch of a step, which reaches only addresses that the guard allows. */
export interface Fetch {
  (url: string | URL, init?: RequestInit): Promise<Response>;
  /** The addresses that the user configured; they decide which others are allowed. */
  readonly homes: readonly URL[];
}

/** A client as it is registered at the authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** The client authentication method at the token endpoint, if one was agreed on. */
  readonly authMethod?: string;
  /** In place of a secret: a PKCS #8 key in PEM, and its signature algorithm. */
  readonly privateKey?: { readonly pem: string; readonly algorithm: string };
}

export interface Tokens {
  readonly accessToken: string;
  readonly kind: 'bearer' | 'dpop';
  readonly refreshToken?: string;
  readonly expiresInSeconds?: number;
  /** The granted scope, if the server reports it. */
  readonly scope?: string;
  readonly idToken?: string;
}

/** A key that proves possession of a token. */
export interface DpopKey {
  /** Includes the private part, to be stored with the token. */
  readonly jwk: Readonly<Record<string, unknown>>;
  proofFor(request: AuthorizedRequest, accessToken: string): Promise<string>;
  /** Stores the nonce that the server requires in the next proof. */
  remember(url: URL, nonce: string): void;
}

type Step<T> = Promise<Result<T, AuthorizationProblem>>;

interface AsClient {
  readonly client: OAuthClient;
  readonly dpop?: DpopKey | undefined;
}

export interface RegistrationRequest {
  /** Absent for a client that signs users in with a device code. */
  readonly redirectUrl: string | undefined;
  /** The name of the client on consent pages. */
  readonly name: string;
  readonly scope: string | undefined;
}

export interface SignInRequest {
  readonly client: OAuthClient;
  readonly redirectUrl: string;
  readonly scope: string | undefined;
  readonly state: string;
}

/** `assertion` is a token of an issuer that the authorization server trusts. */
export type MachineGrant =
  | { readonly kind: 'client-credentials' }
  | { readonly kind: 'jwt-bearer'; readonly assertion: string };

/** A code that the user enters on another device, with its lifetime. */
export interface DeviceCode {
  /** Never shown. */
  readonly deviceCode: string;
  /** Without control characters, and bounded in length. */
  readonly userCode: string;
  readonly verificationUrl: URL;
  readonly completeUrl?: URL;
  readonly expiresInSeconds: number;
  /** The pause between two polls. */
  readonly intervalSeconds: number;
}

/** Whether the user has entered the code. `slow-down`: not yet, and the polls were too frequent. */
export type DevicePoll =
  | { readonly kind: 'pending' | 'slow-down' }
  | { readonly kind: 'tokens'; readonly tokens: Tokens };

export interface AuthorizationServer {
  /** The key under which tokens and clients are kept. */
  readonly issuer: string;
  /** The resource that tokens are for, sent with every request; absent for an identity provider. */
  readonly resource: string | undefined;
  /** The scopes that the resource lists. */
  readonly resourceScopes: readonly string[] | undefined;
  readonly offersOfflineAccess: boolean;
  readonly takesClientMetadataUrl: boolean;
  readonly registersClients: boolean;
  readonly offersDeviceCode: boolean;
  readonly requiresDpop: boolean;

  register(request: RegistrationRequest): Step<OAuthClient>;
  begin(request: SignInRequest): Step<{ readonly url: URL; readonly verifier: string }>;
  /** https://www.rfc-editor.org/rfc/rfc9207: called before anything else in the redirect is used. */
  checkRedirectIssuer(iss: string | undefined): Result<void, AuthorizationProblem>;
  redeem(
    request: AsClient & {
      readonly code: string;
      readonly iss: string | undefined;
      readonly verifier: string;
      readonly redirectUrl: string;
    },
  ): Step<Tokens>;
  refresh(request: AsClient & { readonly refreshToken: string }): Step<Tokens>;
  grant(
    request: AsClient & { readonly grant: MachineGrant; readonly scope: string | undefined },
  ): Step<Tokens>;
  /** Revokes a token, if the server offers that. https://www.rfc-editor.org/rfc/rfc7009 */
  revoke(request: {
    readonly client: OAuthClient;
    readonly token: string;
    readonly kind: 'access_token' | 'refresh_token';
  }): Step<'revoked' | 'not-offered'>;
  askForDeviceCode(request: {
    readonly client: OAuthClient;
    readonly scope: string | undefined;
  }): Step<DeviceCode>;
  redeemDeviceCode(request: AsClient & { readonly deviceCode: string }): Step<DevicePoll>;
  /** At an identity provider: exchanges the ID token of a user for a grant at another authorization server. */
  exchangeIdToken(request: {
    readonly client: OAuthClient;
    readonly idToken: string;
    readonly audience: string;
    readonly resource: string;
    readonly scope: string | undefined;
  }): Step<string>;
}
