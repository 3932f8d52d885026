// Stores codes and tokens with their grants. The tokens of one sign-in are a family: if a code or a refresh token is
// used twice, it was stolen, and the whole family ends.

import { randomUUID } from 'node:crypto';
import { type Clock, err, ok, type Result } from '@plugboard/base';
import type { OAuthError } from './answer.ts';
import type { SecretLedger } from './secret-ledger.ts';

/** The access that a user granted to a client. */
export interface Grant {
  readonly clientId: string;
  /** The signed-in account; in a machine flow, the client or workload itself. */
  readonly subject: string;
  readonly scopes: readonly string[];
  /** The requested `resource`: the only server that should accept the token. */
  readonly resource?: string;
  /** The thumbprint of the key that tokens are bound to, with DPoP. */
  readonly keyThumbprint?: string;
}

export interface AccessToken {
  readonly value: string;
  readonly grant: Grant;
  readonly family: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

export type RefreshToken = AccessToken;

export interface CodeRequest {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge?: string;
  readonly nonce?: string;
}

interface Code extends CodeRequest {
  readonly family: string;
  readonly expires: number;
}

export interface Lifetimes {
  readonly codeSeconds: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

export class TokenStore {
  readonly #ports: { readonly clock: Clock; readonly secrets: SecretLedger };
  readonly #lifetimes: Lifetimes;
  readonly #codes = new Map<string, Code>();
  readonly #accessTokens = new Map<string, AccessToken>();
  readonly #refreshTokens = new Map<string, RefreshToken>();
  /** Used codes and refresh tokens. */
  readonly #spent = new Set<string>();
  readonly #endedFamilies = new Set<string>();
  readonly #revoked = new Set<string>();

  constructor(ports: { clock: Clock; secrets: SecretLedger }, lifetimes: Lifetimes) {
    this.#ports = ports;
    this.#lifetimes = lifetimes;
  }

  issueCode(request: CodeRequest): string {
    const value = this.#ports.secrets.mint('authorization-code');
    const expires = this.#in(this.#lifetimes.codeSeconds);
    this.#codes.set(value, { ...request, family: randomUUID(), expires });
    return value;
  }

  /** Redeems a code, which is possible once. */
  redeemCode(value: string): Result<Code, OAuthError> {
    const code = this.#codes.get(value);
    if (code === undefined) return invalidGrant('no such code');
    if (this.#spent.has(value)) {
      this.#endedFamilies.add(code.family);
      return invalidGrant('the code was used before');
    }
    this.#spent.add(value);
    return this.#ports.clock.now() < code.expires ? ok(code) : invalidGrant('the code expired');
  }

  issueAccessToken(grant: Grant, family: string = randomUUID()): AccessToken {
    const value = this.#ports.secrets.mint('access-token');
    const expires = this.#in(this.#lifetimes.accessTokenSeconds);
    const token = { value, grant, family, expires };
    this.#accessTokens.set(value, token);
    return token;
  }

  issueRefreshToken(grant: Grant, family: string): RefreshToken {
    const value = this.#ports.secrets.mint('refresh-token');
    const expires = this.#in(this.#lifetimes.refreshTokenSeconds);
    const token = { value, grant, family, expires };
    this.#refreshTokens.set(value, token);
    return token;
  }

  /** Finds a refresh token; the use of a replaced one ends its whole family. */
  findRefreshToken(value: string): Result<RefreshToken, OAuthError> {
    const token = this.#refreshTokens.get(value);
    if (token === undefined) return invalidGrant('no such refresh token');
    if (this.#spent.has(value)) {
      this.#endedFamilies.add(token.family);
      return invalidGrant('the refresh token was used before');
    }
    const ended = this.#revoked.has(value) || this.#endedFamilies.has(token.family);
    if (ended || this.#ports.clock.now() >= token.expires) {
      return invalidGrant('the refresh token is not valid any more');
    }
    return ok(token);
  }

  spendRefreshToken(value: string): void {
    this.#spent.add(value);
  }

  /** The token, if it is valid. */
  findAccessToken(value: string): AccessToken | undefined {
    const token = this.#accessTokens.get(value);
    if (token === undefined || this.#revoked.has(value)) return undefined;
    if (this.#endedFamilies.has(token.family)) return undefined;
    return this.#ports.clock.now() < token.expires ? token : undefined;
  }

  /** Revokes a token; with a refresh token, the whole sign-in. */
  revoke(value: string): void {
    const refreshToken = this.#refreshTokens.get(value);
    if (refreshToken !== undefined) this.#endedFamilies.add(refreshToken.family);
    this.#revoked.add(value);
  }

  revokeAccessTokens(): void {
    for (const value of this.#accessTokens.keys()) this.#revoked.add(value);
  }

  revokeEverything(): void {
    this.revokeAccessTokens();
    for (const value of this.#refreshTokens.keys()) this.revoke(value);
  }

  get accessTokens(): readonly AccessToken[] {
    return [...this.#accessTokens.values()];
  }

  get refreshTokens(): readonly RefreshToken[] {
    return [...this.#refreshTokens.values()];
  }

  #in(seconds: number): number {
    return this.#ports.clock.now() + seconds * 1000;
  }
}

function invalidGrant(description: string): Result<never, OAuthError> {
  return err({ error: 'invalid_grant', description });
}
