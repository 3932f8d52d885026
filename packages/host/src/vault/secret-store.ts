// The port to a store of secrets: an encrypted file, or the memory of a program. Every failure is returned as a value,
// which never contains the value of a secret.

import type { Result } from '@plugboard/base';
import type { KeychainProblem } from './keychain.ts';

export interface SecretStore {
  /** `undefined` if no secret has that name. */
  get(name: string): Promise<Result<string | undefined, SecretProblem>>;
  /** Replaces a secret of that name. */
  set(name: string, value: string): Promise<Result<void, SecretProblem>>;
  /** Returns whether there was one. */
  remove(name: string): Promise<Result<boolean, SecretProblem>>;
  /** Sorted. */
  names(): Promise<Result<readonly string[], SecretProblem>>;
}

/** `where`: the file, or another name of the store. */
export type SecretProblem =
  /** The name is not repeated here: it may be a value that was given by mistake. */
  | { readonly kind: 'invalid-name' }
  | { readonly kind: 'invalid-value'; readonly reason: 'empty' | 'not-text' }
  | { readonly kind: 'too-long'; readonly bytes: number; readonly limit: number }
  | { readonly kind: 'unreadable' | 'unwritable'; readonly where: string; readonly code: string }
  | { readonly kind: 'full'; readonly where: string; readonly limit: number }
  /** Another process has kept it locked for too long. */
  | { readonly kind: 'busy'; readonly where: string }
  /** The contents are not what was written. `names`: the secrets that are known to be lost. */
  | { readonly kind: 'damaged'; readonly where: string; readonly names: readonly string[] }
  /** There are secrets, but their key is gone. */
  | { readonly kind: 'no-key'; readonly where: string; readonly keyFile: string }
  /** Written with another key, or on another machine. No `keyFile`: the keychain has the key. */
  | { readonly kind: 'wrong-key'; readonly where: string; readonly keyFile: string | undefined }
  /** `locked`: the existing secrets need its key. `chosen`: the user chose it. */
  | {
      readonly kind: 'no-keychain';
      readonly need: 'locked' | 'chosen';
      readonly where: string;
      readonly problem: KeychainProblem;
    }
  /** PLUGBOARD_SECRETS is invalid. Its value is not repeated: it may be a secret. */
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
  // A lone surrogate could not be read back, and a keychain accepts no NUL.
  const isText = bytes.toString('utf8') === value && !value.includes('\0');
  if (!isText) return nameProblem(name) ?? { kind: 'invalid-value', reason: 'not-text' };
  if (bytes.length <= MAX_VALUE_BYTES) return nameProblem(name);
  return nameProblem(name) ?? { kind: 'too-long', bytes: bytes.length, limit: MAX_VALUE_BYTES };
}
