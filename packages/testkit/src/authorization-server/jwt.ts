// Signs and verifies JSON Web Tokens, and computes the thumbprint that binds a token to a key. Callers check the claims.

import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@plugboard/base';

export interface ReadJwt {
  readonly header: Header;
  readonly claims: Claims;
}

type Header = { readonly [Name in 'alg' | 'jwk' | 'typ']?: Json };

/** The claims that are used here. */
export type Claims = { readonly [Name in ClaimName]?: Json };

type ClaimName =
  | 'ath'
  | 'aud'
  | 'client_id'
  | 'exp'
  | 'htm'
  | 'htu'
  | 'iat'
  | 'iss'
  | 'jti'
  | 'nonce'
  | 'resource'
  | 'scope'
  | 'sub';

/** A signing key pair of a server, a client, or a workload platform. */
export interface Signer {
  readonly keyId: string;
  readonly publicKey: JsonWebKey;
  /** For clients that need their own key. */
  readonly privateKey: JsonWebKey;
  readonly privateKeyPem: string;
  sign(claims: JsonObject, header?: JsonObject): string;
}

const HASHES = new Map([
  ['ES256', 'sha256'],
  ['ES384', 'sha384'],
  ['ES512', 'sha512'],
  ['RS256', 'sha256'],
  ['RS384', 'sha384'],
  ['RS512', 'sha512'],
  ['EdDSA', null],
]);

export const SIGNATURE_ALGORITHMS: readonly string[] = [...HASHES.keys()];

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bare = publicKey.export({ format: 'jwk' });
  const keyId = thumbprint(bare);
  return {
    keyId,
    publicKey: { ...bare, kid: keyId, alg: 'ES256', use: 'sig' },
    privateKey: { ...privateKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256' },
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    sign: (claims, header = {}) =>
      signed({ alg: 'ES256', kid: keyId, typ: 'JWT', ...header }, claims, privateKey),
  };
}

function signed(header: JsonObject, claims: JsonObject, key: KeyObject): string {
  const content = `${encoded(header)}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** Reads a token without checking its signature. `undefined` if it is not a token. */
export function readJwt(token: string): ReadJwt | undefined {
  const [header, claims, signature, ...more] = token.split('.');
  if (header === undefined || claims === undefined) return undefined;
  if (signature === undefined || more.length > 0) return undefined;
  const [readHeader, readClaims] = [decoded(header), decoded(claims)];
  if (readHeader === undefined || readClaims === undefined) return undefined;
  return { header: readHeader, claims: readClaims };
}

/** Reads a token if one of the keys signed it. */
export function verifyJwt(token: string, keys: readonly JsonWebKey[]): ReadJwt | undefined {
  const jwt = readJwt(token);
  if (jwt === undefined) return undefined;
  const hash = HASHES.get(optionalText(jwt.header.alg) ?? 'none');
  if (hash === undefined) return undefined;
  const end = token.lastIndexOf('.');
  const content = Buffer.from(token.slice(0, end));
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const fits = keys.some((key) => signedBy({ key, hash, content, signature }));
  return fits ? jwt : undefined;
}

function signedBy(check: {
  key: JsonWebKey;
  hash: string | null;
  content: Buffer;
  signature: Buffer;
}): boolean {
  try {
    const key = createPublicKey({ key: check.key, format: 'jwk' });
    const options = key.asymmetricKeyType === 'ec' ? { dsaEncoding: 'ieee-p1363' as const } : {};
    return verify(check.hash, check.content, { key, ...options }, check.signature);
  } catch {
    // A key of another type than the algorithm requires.
    return false;
  }
}

/** The RFC 7638 thumbprint of a public key. */
export function thumbprint(key: JsonWebKey): string {
  const { crv, e, k, kty, n, x, y } = key;
  // JSON omits members that this type of key lacks; the RFC defines the order.
  const canonical = JSON.stringify({ crv, e, k, kty, n, x, y });
  return createHash('sha256').update(canonical).digest('base64url');
}

function encoded(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decoded(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** `value` if it is a string. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
