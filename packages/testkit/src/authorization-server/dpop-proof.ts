// Checks DPoP proofs (RFC 9449) for the token endpoint and for protected servers: signed by the named key, for this
// request, fresh, used once, and with the nonce if one is required.

import { createHash, type JsonWebKey, randomBytes } from 'node:crypto';
import { type Clock, err, isObject, isUrl, ok, type Result } from '@plugboard/base';
import { type Claims, readJwt, optionalText, thumbprint, verifyJwt } from './jwt.ts';

export interface ProofRequest {
  readonly proof: string;
  readonly method: string;
  /** The address of the request; its query is ignored. */
  readonly url: string;
  /** At a protected server: the token of the request. */
  readonly accessToken?: string;
}

export interface ProofProblem {
  readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce';
  readonly description: string;
}

/** The maximum age of a proof. */
const FRESH_SECONDS = 300;

export class ProofChecker {
  readonly #clock: Clock;
  readonly #nonceDemanded: boolean;
  readonly #seen = new Set<string>();
  #nonce = newNonce();

  constructor(clock: Clock, { nonce }: { readonly nonce: 'off' | 'required' }) {
    this.#clock = clock;
    this.#nonceDemanded = nonce === 'required';
  }

  /** The current nonce; `undefined` if none is required. */
  get nonce(): string | undefined {
    return this.#nonceDemanded ? this.#nonce : undefined;
  }

  /** Replaces the nonce: proofs with the old one are refused, with the new one in the answer. */
  rotateNonce(): void {
    this.#nonce = newNonce();
  }

  /** Returns the thumbprint of the key of a valid proof. */
  check(request: ProofRequest): Result<string, ProofProblem> {
    const header = readJwt(request.proof)?.header;
    const key = isObject(header?.jwk) ? (header.jwk as JsonWebKey) : undefined;
    if (key === undefined || 'd' in key) return invalid('no public key in the proof');
    const claims = verifyJwt(request.proof, [key])?.claims;
    if (header?.typ !== 'dpop+jwt' || claims === undefined) return invalid('not signed by its key');
    const problem = this.#problemOf(claims, request);
    if (problem !== undefined) return invalid(problem);
    if (this.#nonceDemanded && claims.nonce !== this.#nonce) {
      return err({ error: 'use_dpop_nonce', description: 'a nonce is needed' });
    }
    const id = optionalText(claims.jti) ?? '';
    // After the nonce check, so that a proof is refused for one reason only.
    if (this.#seen.has(id)) return invalid('the proof was used before');
    this.#seen.add(id);
    return ok(thumbprint(key));
  }

  #problemOf(claims: Claims, request: ProofRequest): string | undefined {
    if (typeof claims.jti !== 'string' || claims.jti === '') return 'jti is missing';
    if (claims.htm !== request.method) return 'htm is another method';
    if (bare(optionalText(claims.htu) ?? '') !== bare(request.url)) return 'htu is another address';
    const seconds = this.#clock.now() / 1000;
    if (typeof claims.iat !== 'number' || Math.abs(seconds - claims.iat) > FRESH_SECONDS) {
      return 'iat is not now';
    }
    if (request.accessToken === undefined) return undefined;
    const hash = createHash('sha256').update(request.accessToken).digest('base64url');
    return claims.ath === hash ? undefined : 'ath is of another token';
  }
}

function bare(address: string): string | undefined {
  if (!isUrl(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function newNonce(): string {
  return randomBytes(12).toString('base64url');
}

function invalid(description: string): Result<never, ProofProblem> {
  return err({ error: 'invalid_dpop_proof', description });
}
