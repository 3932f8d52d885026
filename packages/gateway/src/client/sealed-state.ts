// The `requestState` of a reply that requires input. It is encrypted, so that a client can neither read nor change it, and
// bound to its principal, to the request, and to a time.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  canonicalJson,
  type Clock,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from '@plugboard/base';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LIFETIME_MS = 30 * 60_000;
const LONGEST = 256 * 1024;

/** What a sealed state is bound to. */
export interface SealSubject {
  readonly principal: string;
  readonly method: string;
  /** Of the first request, and of its repetition. */
  readonly params: JsonObject;
}

export class Seal {
  readonly #key: Buffer;
  readonly #clock: Clock;

  /** `key` has 32 bytes; another gateway with the same key opens what this one sealed. */
  constructor(key: Buffer, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  close(state: Json, subject: SealSubject): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    cipher.setAAD(digestOf(subject));
    const text = JSON.stringify({ state, until: this.#clock.now() + LIFETIME_MS });
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** `undefined` if it was not sealed with this key, is bound to something else, or has expired. */
  open(sealed: unknown, subject: SealSubject): Json | undefined {
    if (typeof sealed !== 'string' || sealed.length > LONGEST) return undefined;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(digestOf(subject));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      const text = Buffer.concat([body, decipher.final()]).toString('utf8');
      const read = parseJson(text, { maxLength: LONGEST, maxDepth: 64 });
      if (!read.ok || !isObject(read.value)) return undefined;
      const { state, until } = read.value;
      return typeof until === 'number' && until > this.#clock.now() ? state : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Equal for a request and its repetition, which adds responses and has its own `_meta`. */
function digestOf({ principal, method, params }: SealSubject): Buffer {
  const { _meta, inputResponses: _responses, requestState: _state, ...same } = params;
  const text = canonicalJson([principal, method, same]);
  return createHash('sha256').update(text).digest();
}
