// Creates DPoP keys over the SDK's sessions, exports them for storage, and restores them. A token that is bound to a key is
// useless without it, so both are stored together.
// https://www.rfc-editor.org/rfc/rfc9449

import { type DpopKeyPair, DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';
import { hash, webcrypto } from 'node:crypto';
import { CodedError } from '@plugboard/base';
import type { DpopKey } from '../neutral/authorization-server.ts';

const ALGORITHM = 'ES256';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const sessions = new WeakMap<DpopKey, DpopSession>();

export async function newDpopKey(): Promise<DpopKey> {
  const keyPair = await generateDpopKeyPair({ alg: ALGORITHM, extractable: true });
  const jwk = await webcrypto.subtle.exportKey('jwk', keyPair.privateKey);
  return createDpopKey({ ...jwk }, keyPair);
}

/** Rejects with `bad-key` if the data is not a key that this module exported. */
export async function dpopKeyFrom(jwk: DpopKey['jwk']): Promise<DpopKey> {
  try {
    const { d: _, key_ops: __, ...open } = jwk;
    const importKey = (data: object, use: 'sign' | 'verify') =>
      webcrypto.subtle.importKey('jwk', data, CURVE, true, [use]);
    const privateKey = await importKey({ ...open, d: jwk['d'] }, 'sign');
    const publicKey = await importKey(open, 'verify');
    const { kty, crv, x, y } = jwk;
    const publicJwk = { kty, crv, x, y } as DpopKeyPair['publicJwk'];
    const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
    return await createDpopKey(jwk, {
      privateKey,
      publicKey,
      publicJwk,
      thumbprint,
      alg: ALGORITHM,
    });
  } catch (cause) {
    throw new CodedError('bad-key', 'the stored data is not a key for DPoP', { data: {}, cause });
  }
}

async function createDpopKey(jwk: DpopKey['jwk'], keyPair: DpopKeyPair): Promise<DpopKey> {
  const session = await DpopSession.create({ keyPair });
  const key: DpopKey = {
    jwk,
    proofFor: ({ method, url }, accessToken) =>
      session.buildProof({ htm: method, htu: url, accessToken }),
    remember: (url, nonce) => session.rememberNonce(url, nonce),
  };
  sessions.set(key, session);
  return key;
}

export function sessionOf(key: DpopKey | undefined): DpopSession | undefined {
  return key === undefined ? undefined : sessions.get(key);
}
