// An authorization server as a port: one that was found for a resource, with every step of OAuth that
// is asked of it. Steps answer with a value or a problem, and remember nothing.

import type { Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizedRequest } from './authorization.ts';

/** What a step goes through to the network: not to wherever a server likes. */
export interface Fetch {
  (url: string | URL, init?: RequestInit): Promise<Response>;
  /** The addresses that a person configured; all others are judged by them. */
  readonly homes: readonly URL[];
}

/** A client as the authorization server knows it. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** How it says who it is at the token endpoint, where that was agreed on. */
  readonly authMethod?: string;
  /** In place of a secret: PKCS #8 in PEM, and what it signs with. */
  readonly privateKey?: { readonly pem: string; readonly algorithm: string };
}

export interface Tokens {
  readonly accessToken: string;
  readonly kind: 'bearer' | 'dpop';
  readonly refreshToken?: string;
  readonly expiresInSeconds?: number;
  /** As granted, where the server says so. */
  readonly scope?: string;
  readonly idToken?: string;
}

/** A key that proves that a token is in the right hands. */
export interface DpopKey {
  /** With its private part, to be kept with the token. */
  readonly jwk: Readonly<Record<string, unknown>>;
  proofFor(request: AuthorizedRequest, accessToken: string): Promise<string>;
  /** The server wants this nonce in the next proof. */
  remember(url: URL, nonce: string): void;
}

type Step<T> = Promise<Result<T, AuthorizationProblem>>;

interface AsClient {
  readonly client: OAuthClient;
  readonly dpop?: DpopKey | undefined;
}

export interface RegistrationRequest {
  /** None for a client that signs people in by a code that they type in elsewhere. */
  readonly redirectUrl: string | undefined;
  /** How the client is called where people are asked. */
  readonly name: string;
  readonly scope: string | undefined;
}

export interface SignInRequest {
  readonly client: OAuthClient;
  readonly redirectUrl: string;
  readonly scope: string | undefined;
  readonly state: string;
}

/** `assertion` is a token of someone else's whom the authorization server trusts. */
export type MachineGrant =
  | { readonly kind: 'client-credentials' }
  | { readonly kind: 'jwt-bearer'; readonly assertion: string };

/** What somebody types in on another device, and for how long it is worth something. */
export interface DeviceCode {
  /** Shown to nobody. */
  readonly deviceCode: string;
  /** Without control characters, and not long. */
  readonly userCode: string;
  readonly verificationUrl: URL;
  readonly completeUrl?: URL;
  readonly expiresInSeconds: number;
  /** So long between two questions whether somebody did. */
  readonly intervalSeconds: number;
}

/** Whether somebody typed it in. `slow-down`: not yet, and it was asked too often. */
export type DevicePoll =
  | { readonly kind: 'pending' | 'slow-down' }
  | { readonly kind: 'tokens'; readonly tokens: Tokens };

export interface AuthorizationServer {
  /** Under whom tokens and clients are kept. */
  readonly issuer: string;
  /** What tokens are to be good for, as it is sent with every request; nothing for an identity provider. */
  readonly resource: string | undefined;
  /** The scopes that the resource says it has. */
  readonly resourceScopes: readonly string[] | undefined;
  readonly offersOfflineAccess: boolean;
  readonly takesClientMetadataUrl: boolean;
  readonly registersClients: boolean;
  readonly offersDeviceCode: boolean;
  readonly requiresDpop: boolean;

  register(request: RegistrationRequest): Step<OAuthClient>;
  begin(request: SignInRequest): Step<{ readonly url: URL; readonly verifier: string }>;
  /** https://www.rfc-editor.org/rfc/rfc9207: before anything else in the redirect is looked at. */
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
  /** Has a token made worthless, where that is offered. https://www.rfc-editor.org/rfc/rfc7009 */
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
  /** Of an identity provider: a grant for another authorization server, in exchange for who signed in. */
  exchangeIdToken(request: {
    readonly client: OAuthClient;
    readonly idToken: string;
    readonly audience: string;
    readonly resource: string;
    readonly scope: string | undefined;
  }): Step<string>;
}
