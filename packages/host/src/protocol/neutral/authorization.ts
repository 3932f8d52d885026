// How requests to a remote server are authorized, as its transports see it: a port that gives headers
// and is asked about every refusal. Whence credentials come is the business of whoever implements it.

import type { Instant } from '@plugboard/base';

/** What a server says of a request that it refused. All of it is hostile. */
export interface Challenge {
  /** Where it says that the metadata of the resource is. */
  readonly resourceMetadataUrl?: URL;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
  /** It takes the token, and wants a fresh proof with the nonce that it has sent. */
  readonly wantsNonce: boolean;
}

export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
}

export interface AnsweredRequest extends AuthorizedRequest {
  readonly status: number;
  readonly challenge: Challenge;
  /** A nonce for the next proof, where the server sent one. */
  readonly nonce: string | undefined;
  /** The headers that the request was given. */
  readonly given: Readonly<Record<string, string>>;
  /** Why it was sent before, if it was. */
  readonly repeats: readonly RepeatReason[];
}

/** `nonce`: the proof lacked one; `renewed`: another token; `widened`: one with more scopes. */
export type RepeatReason = 'nonce' | 'renewed' | 'widened';

export type AuthorizationVerdict =
  /** The answer is what it is. */
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
  /** Why there is no use in asking the server just now, where that is known from before. */
  refusal?(): Promise<KnownRefusal | undefined>;
  /** Told of every answer. May take as long as it takes to get another token. */
  judge(answer: AnsweredRequest, signal: AbortSignal): Promise<AuthorizationVerdict>;
}

/** Why there is no token to be had. Holds no secret, and of what servers said only codes and addresses. */
export type AuthorizationProblem =
  /** Someone has to sign in. */
  | { readonly kind: 'sign-in-needed'; readonly issuer: string }
  | { readonly kind: 'unreachable'; readonly url: string; readonly code: string }
  /** An answer that is not what it should be. */
  | { readonly kind: 'bad-answer'; readonly url: string }
  /** Whoever answers is not who it should be; `where` says in what. */
  | { readonly kind: 'issuer-mismatch'; readonly where: 'metadata' | 'redirect' | 'client' }
  /** Metadata that lies elsewhere names an endpoint which is not at its issuer. */
  | { readonly kind: 'stray-endpoint'; readonly field: string; readonly issuer: string }
  /** The metadata is that of another resource. */
  | { readonly kind: 'resource-mismatch'; readonly resource: string }
  /** An address that nobody may be sent to, and no secret; `url` is where that was found out, if on the way. */
  | { readonly kind: 'unsafe-address'; readonly field: string; readonly url?: string }
  /** The authorization server does not offer PKCE with S256. */
  | { readonly kind: 'no-pkce'; readonly issuer: string }
  /** It takes neither a metadata document nor new clients: a client id must be configured. */
  | { readonly kind: 'client-id-needed'; readonly issuer: string }
  | { readonly kind: 'registration-refused'; readonly issuer: string; readonly status: number }
  /** The authorization server said no; `error` is one of the codes of OAuth. */
  | { readonly kind: 'denied'; readonly issuer: string; readonly error: string }
  /** What came back from the browser is not the answer to what was asked. */
  | { readonly kind: 'bad-redirect'; readonly reason: 'state' | 'no-code' }
  /** Whoever was asked to sign in did not. */
  | { readonly kind: 'not-signed-in'; readonly reason: 'cancelled' | 'timeout' | 'no-browser' }
  /** The authorization server signs nobody in by a code that is typed in elsewhere. */
  | { readonly kind: 'device-not-offered'; readonly issuer: string }
  /** Nobody typed the code in while it was good. */
  | { readonly kind: 'device-expired'; readonly issuer: string }
  /** The server wants more than was granted, and asking once more would not help. */
  | { readonly kind: 'insufficient-scope'; readonly scope: string }
  /** So often within so short a time that somebody would be asked in a loop. */
  | { readonly kind: 'asked-too-often' }
  | { readonly kind: 'bad-settings'; readonly field: string }
  /** The credentials could not be read or kept; the message holds none of them. */
  | { readonly kind: 'store-failed'; readonly message: string }
  | { readonly kind: 'unexpected'; readonly message: string };
