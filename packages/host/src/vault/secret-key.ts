// The key that locks the secrets of a file. It is derived from random bytes, which are stored elsewhere, and from the
// machine's id, so that the file alone, or a copy on another machine, reveals nothing. Pure.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_TEXT = /^[0-9a-f]{64}$/i;

export interface SecretKey {
  lock(name: string, value: string): string;
  /** `undefined` unless it was locked with this key, under this name. */
  unlock(name: string, record: string): string | undefined;
  /** A short signature of a text, which only this key can create. */
  seal(text: string): string;
  isSealOf(seal: string, text: string): boolean;
}

/** The text of a new key file. */
export function newKeyText(): string {
  return `${randomBytes(KEY_BYTES).toString('hex')}\n`;
}

/** `undefined` if the text is not that of a key file. */
export function secretKey(keyText: string, machine: string): SecretKey | undefined {
  const text = keyText.trim();
  if (!KEY_TEXT.test(text)) return undefined;
  const random = Buffer.from(text, 'hex');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', random, machine, `plugboard secrets 1 ${purpose}`, KEY_BYTES));
  const records = derive('records');
  const seals = derive('seal');
  const seal = (sealed: string): string =>
    createHmac('sha256', seals).update(sealed).digest('base64');
  return {
    lock: (name, value) => lock(records, name, value),
    unlock: (name, record) => unlock(records, name, record),
    seal,
    isSealOf: (given, sealed) => isSame(given, seal(sealed)),
  };
}

/** The nonce, the tag and the encrypted value. */
function lock(key: Buffer, name: string, value: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  // So that a record under another name cannot be unlocked.
  cipher.setAAD(Buffer.from(name, 'utf8'));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

function unlock(key: Buffer, name: string, record: string): string | undefined {
  const bytes = Buffer.from(record, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    // Deciphering fails only if the record is not what was locked.
    return undefined;
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
