// What is kept of a sign-in, and under which key. A token is good for one resource, from one issuer, to
// one client, for one account; under anything less it could be handed to the wrong one.

import type { Instant } from '@plugboard/base';
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
  /** As asked for; what is asked for later is added to it. */
  readonly requestedScope?: string;
  /** The client itself, where nobody has configured it. */
  readonly registered?: OAuthClient;
  /** What the token is bound to. */
  readonly dpopKey?: Readonly<Record<string, unknown>>;
}

/** The clients that were registered with an issuer, to be used for the next sign-in as well. */
export interface Registration {
  readonly issuer: string;
  /** For people who come back from a browser, to this address. */
  readonly client?: OAuthClient;
  readonly redirectUrl?: string;
  /** For people who type in a code elsewhere. */
  readonly device?: OAuthClient;
}

/** A server as somebody uses it. */
export interface ServerKey {
  readonly url: string;
  readonly account: string;
  /** Where one is configured; empty otherwise. */
  readonly client: string;
}

export function isSameServer(a: ServerKey, b: ServerKey): boolean {
  return a.url === b.url && a.account === b.account && a.client === b.client;
}

/** Which credential a server was used with last, and where its metadata was. */
export interface KnownServer extends ServerKey {
  readonly credential: CredentialKey;
  readonly resourceMetadataUrl?: string;
}

/** Renewed so long before it expires: clocks differ, and a request takes its time. */
const SKEW_MS = 30_000;

export function isExpiring({ expiresAt }: Pick<Credential, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== undefined && now >= expiresAt - SKEW_MS;
}

export function keyOf({ issuer, client, account, resource }: CredentialKey): CredentialKey {
  return { issuer, client, account, resource };
}

/** A credential with new tokens. A server that gives no new refresh token lets the old one count. */
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
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(idToken === undefined ? {} : { idToken }),
    ...(expiresInSeconds === undefined ? {} : { expiresAt: now + expiresInSeconds * 1000 }),
    ...(scope === undefined ? {} : { scope }),
  };
}
