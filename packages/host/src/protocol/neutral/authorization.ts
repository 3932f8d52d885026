// The port by which a remote server's transports authorize requests: it gives headers and is asked about every
// refusal. The implementation decides where credentials come from.

import type { Instant } from '@plugboard/base';

/** What a server says of a request that it refused. All of it is hostile. */
export interface Challenge {
  /** The address of the resource metadata, as the server named it. */
  readonly resourceMetadataUrl?: URL;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
  /** The server accepts the token, and requires a new proof with the nonce that it sent. */
  readonly wantsNonce: boolean;
}

export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
}

export interface AnsweredRequest extends AuthorizedRequest {
  readonly status: number;
  readonly challenge: Challenge;
  /** A nonce for the next proof, if the server sent one. */
  readonly nonce: string | undefined;
  /** The headers that the request was sent with. */
  readonly given: Readonly<Record<string, string>>;
  /** Why it was repeated before, if it was. */
  readonly repeats: readonly RepeatReason[];
}

/** `nonce`: the proof lacked one; `renewed`: another token; `widened`: one with more scopes. */
export type RepeatReason = 'nonce' | 'renewed' | 'widened';

export type AuthorizationVerdict =
  /** The answer is passed on unchanged. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'repeat'; readonly why: RepeatReason }
  | { readonly kind: 'refused'; readonly problem: AuthorizationProblem };

export interface KnownRefusal {
  readonly problem: AuthorizationProblem;
  readonly since: Instant;
}

export interface AuthorizationPort {
  headersFor(
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** Why a request would be refused, if that is known from before. */
  refusal?(): Promise<KnownRefusal | undefined>;
  /** Called for every answer. May take as long as obtaining another token takes. */
  judge(answer: AnsweredRequest, signal: AbortSignal): Promise<AuthorizationVerdict>;
}

/** Why no token can be obtained. Holds no secret, and of the servers' answers only codes and addresses. */
export type AuthorizationProblem =
  /** The user has to sign in. */
  | { readonly kind: 'sign-in-needed'; readonly issuer: string }
  | { readonly kind: 'unreachable'; readonly url: string; readonly code: string }
  /** A malformed answer. */
  | { readonly kind: 'bad-answer'; readonly url: string }
  /** The issuer is not the expected one; `where` says which check failed. */
  | { readonly kind: 'issuer-mismatch'; readonly where: 'metadata' | 'redirect' | 'client' }
  /** Metadata outside the issuer's well-known addresses names an endpoint that is not at the issuer's origin. */
  | { readonly kind: 'stray-endpoint'; readonly field: string; readonly issuer: string }
  /** The metadata is that of another resource. */
  | { readonly kind: 'resource-mismatch'; readonly resource: string }
  /** An address to which no user and no secret may be sent; `url` is where it was found, if after a redirect. */
  | { readonly kind: 'unsafe-address'; readonly field: string; readonly url?: string }
  /** The authorization server does not offer PKCE with S256. */
  | { readonly kind: 'no-pkce'; readonly issuer: string }
  /** It accepts neither a metadata document nor registration: a client id must be configured. */
  | { readonly kind: 'client-id-needed'; readonly issuer: string }
  | { readonly kind: 'registration-refused'; readonly issuer: string; readonly status: number }
  /** The authorization server refused; `error` is one of the codes of OAuth. */
  | { readonly kind: 'denied'; readonly issuer: string; readonly error: string }
  /** The redirect does not answer the request. */
  | { readonly kind: 'bad-redirect'; readonly reason: 'state' | 'no-code' }
  /** The user was asked to sign in and did not. */
  | { readonly kind: 'not-signed-in'; readonly reason: 'cancelled' | 'timeout' | 'no-browser' }
  /** The authorization server does not offer sign-in by device code. */
  | { readonly kind: 'device-not-offered'; readonly issuer: string }
  /** The user did not enter the code before it expired. */
  | { readonly kind: 'device-expired'; readonly issuer: string }
  /** The server requires more scopes than were granted, and asking again would not help. */
  | { readonly kind: 'insufficient-scope'; readonly scope: string }
  /** Sign-in was requested so often in a short time that the user would be asked in a loop. */
  | { readonly kind: 'asked-too-often' }
  | { readonly kind: 'bad-settings'; readonly field: string }
  /** The credentials could not be read or stored; the message holds none of them. */
  | { readonly kind: 'store-failed'; readonly message: string }
  | { readonly kind: 'unexpected'; readonly message: string };
