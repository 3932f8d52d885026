// The port to whatever keeps credentials: an encrypted file, the system's keychain, a program's own
// memory. Every way in which keeping can fail is a value, and no value of a secret is ever part of it.

import type { Result } from '@plugboard/base';
import type { KeychainProblem } from './keychain.ts';

export interface SecretStore {
  /** `undefined` if no secret has that name. */
  get(name: string): Promise<Result<string | undefined, SecretProblem>>;
  /** Replaces what has that name. */
  set(name: string, value: string): Promise<Result<void, SecretProblem>>;
  /** Whether there was one. */
  remove(name: string): Promise<Result<boolean, SecretProblem>>;
  /** In the order of letters. */
  names(): Promise<Result<readonly string[], SecretProblem>>;
}

/** `where` is a file, or whatever else keeps the secrets. */
export type SecretProblem =
  /** It is not repeated here: a value may have been given in its place. */
  | { readonly kind: 'invalid-name' }
  | { readonly kind: 'invalid-value'; readonly reason: 'empty' | 'not-text' }
  | { readonly kind: 'too-long'; readonly bytes: number; readonly limit: number }
  | { readonly kind: 'unreadable' | 'unwritable'; readonly where: string; readonly code: string }
  | { readonly kind: 'full'; readonly where: string; readonly limit: number }
  /** Someone else has been changing it for too long. */
  | { readonly kind: 'busy'; readonly where: string }
  /** What is there is not what was written. `names` has the secrets that are known to be lost. */
  | { readonly kind: 'damaged'; readonly where: string; readonly names: readonly string[] }
  /** There are secrets, and what would open them is gone. */
  | { readonly kind: 'no-key'; readonly where: string; readonly keyFile: string }
  /** Written with another key, or on another machine. No `keyFile`: the keychain has the key. */
  | { readonly kind: 'wrong-key'; readonly where: string; readonly keyFile: string | undefined }
  /** `locked`: it has the key to what is there. `chosen`: it was to be used, and nothing else. */
  | {
      readonly kind: 'no-keychain';
      readonly need: 'locked' | 'chosen';
      readonly where: string;
      readonly problem: KeychainProblem;
    }
  /** What PLUGBOARD_SECRETS says is none of its words. It is not repeated: it may be a secret. */
  | { readonly kind: 'invalid-choice' };

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_VALUE_BYTES = 64 * 1024;

export function isSecretName(text: string): boolean {
  return NAME.test(text);
}

/** What is wrong with a name, for every driver alike. */
export function nameProblem(name: string): SecretProblem | undefined {
  return isSecretName(name) ? undefined : { kind: 'invalid-name' };
}

/** What is wrong with a name or a value that is to be stored, for every driver alike. */
export function pairProblem(name: string, value: string): SecretProblem | undefined {
  const bytes = Buffer.from(value, 'utf8');
  if (value === '') return nameProblem(name) ?? { kind: 'invalid-value', reason: 'empty' };
  // Half a character could not be read back as it was; a keychain takes no NUL.
  const isText = bytes.toString('utf8') === value && !value.includes('\0');
  if (!isText) return nameProblem(name) ?? { kind: 'invalid-value', reason: 'not-text' };
  if (bytes.length <= MAX_VALUE_BYTES) return nameProblem(name);
  return nameProblem(name) ?? { kind: 'too-long', bytes: bytes.length, limit: MAX_VALUE_BYTES };
}
