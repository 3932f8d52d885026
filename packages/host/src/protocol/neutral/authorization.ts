// The port with which transports authorize requests to a remote server: it provides headers, and judges every refusal.
// The implementation decides where credentials come from.

import type { Instant } from '@plugboard/base';

/** The challenge in a server's refusal of a request. All of it is hostile. */
export interface Challenge {
  /** The address of the resource metadata, as stated by the server. */
  readonly resourceMetadataUrl?: URL;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
  /** The server accepts the token, but requires a new proof with the nonce that it sent. */
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
  /** The reasons of earlier repetitions. */
  readonly repeats: readonly RepeatReason[];
}

/** `nonce`: the proof lacked one; `renewed`: there is a newer token; `widened`: there is one with more scopes. */
export type RepeatReason = 'nonce' | 'renewed' | 'widened';

export type AuthorizationVerdict =
  /** Pass the answer on unchanged. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'repeat'; readonly why: RepeatReason }
  | { readonly kind: 'refused'; readonly problem: AuthorizationProblem };

export interface KnownRefusal {
  readonly problem: AuthorizationProblem;
  readonly since: Instant;
}

/** A remote server to authorize, with the secrets of its entry filled in. */
export interface RemoteServer {
  readonly name: string;
  readonly url: string;
  readonly oauth: Readonly<Record<string, unknown>> | undefined;
  /** The headers of its entry, without those that the headers helper prints. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AuthorizationPort {
  headersFor(
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** Returns the recorded reason why a request would be refused, if there is one. */
  refusal?(): Promise<KnownRefusal | undefined>;
  /** Judges every answer. May obtain another token, and so take long. */
  judge(answer: AnsweredRequest, signal: AbortSignal): Promise<AuthorizationVerdict>;
}

/** Why no token can be obtained. Contains no secret, and only codes and addresses from the answers of servers. */
export type AuthorizationProblem =
  /** The user has to sign in. */
  | { readonly kind: 'sign-in-needed'; readonly issuer: string }
  | { readonly kind: 'unreachable'; readonly url: string; readonly code: string }
  /** A malformed answer. */
  | { readonly kind: 'bad-answer'; readonly url: string }
  /** The issuer is not the expected one; `where` is the check that failed. */
  | { readonly kind: 'issuer-mismatch'; readonly where: 'metadata' | 'redirect' | 'client' }
  /** Metadata outside the issuer's well-known addresses names an endpoint on another origin. */
  | { readonly kind: 'stray-endpoint'; readonly field: string; readonly issuer: string }
  /** The metadata is that of another resource. */
  | { readonly kind: 'resource-mismatch'; readonly resource: string }
  /** An address to which no user and no secret may be sent; `url` is that address after a redirect. */
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
  /** The credentials could not be read or stored; the message contains none of them. */
  | { readonly kind: 'store-failed'; readonly message: string }
  | { readonly kind: 'unexpected'; readonly message: string };
