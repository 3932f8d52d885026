// What is kept of a sign-in, and under which key. A token is valid for one resource, from one issuer, to one
// client, for one account; under a shorter key it could be sent to the wrong server.

import { definedFields, type Instant } from '@plugboard/base';
import type { OAuthClient, Tokens } from '../protocol/index.ts';

export interface CredentialKey {
  readonly issuer: string;
  /** The id of the client. */
  readonly client: string;
  readonly account: string;
  /** Empty for a sign-in at an identity provider. */
  readonly resource: string;
}

export interface Credential extends CredentialKey {
  readonly accessToken: string;
  readonly kind: Tokens['kind'];
  readonly refreshToken?: string;
  readonly idToken?: string;
  readonly expiresAt?: Instant;
  readonly obtainedAt: Instant;
  /** As granted. */
  readonly scope?: string;
  /** As requested; later requests add to it. */
  readonly requestedScope?: string;
  /** The client itself, if it is not configured. */
  readonly registered?: OAuthClient;
  /** The key that the token is bound to. */
  readonly dpopKey?: Readonly<Record<string, unknown>>;
}

/** The clients that were registered with an issuer, reused for the next sign-in. */
export interface Registration {
  readonly issuer: string;
  /** For sign-in by a browser that returns to this address. */
  readonly client?: OAuthClient;
  readonly redirectUrl?: string;
  /** For sign-in by device code. */
  readonly device?: OAuthClient;
}

/** A server under one client and account. */
export interface ServerKey {
  readonly url: string;
  readonly account: string;
  /** The configured client id; empty if none is configured. */
  readonly client: string;
}

export function isSameServer(a: ServerKey, b: ServerKey): boolean {
  return a.url === b.url && a.account === b.account && a.client === b.client;
}

/** Which credential a server was last used with, and where its metadata was. */
export interface KnownServer extends ServerKey {
  readonly credential: CredentialKey;
  readonly resourceMetadataUrl?: string;
}

/** How long before its expiry a token is renewed: clocks differ, and a request takes time. */
const SKEW_MS = 30_000;

export function isExpiring({ expiresAt }: Pick<Credential, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== undefined && now >= expiresAt - SKEW_MS;
}

export function credentialKey({ issuer, client, account, resource }: CredentialKey): CredentialKey {
  return { issuer, client, account, resource };
}

/** A credential with new tokens. If the server gives no new refresh token, the old one remains valid. */
export function withTokens(
  before: CredentialKey & Partial<Credential>,
  tokens: Tokens,
  now: Instant,
): Credential {
  const { expiresAt: _, scope: oldScope, ...rest } = before;
  const { accessToken, kind, refreshToken, expiresInSeconds, scope = oldScope, idToken } = tokens;
  return {
    ...rest,
    accessToken,
    kind,
    obtainedAt: now,
    ...definedFields({
      refreshToken,
      idToken,
      expiresAt: expiresInSeconds === undefined ? undefined : now + expiresInSeconds * 1000,
      scope,
    }),
  };
}
