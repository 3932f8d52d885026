// Describes where the key to the secrets is, and the problems of the system's keychain.

import type { KeychainProblem, SecretProblem, StoreInUse } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { shortPath, type Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';

/** One line for people. */
export function storeWords(store: StoreInUse, from: Standpoint): string {
  const file = shortPath(store.file, from);
  if (store.kind === 'keychain') {
    return `Kept in ${file}, whose key is in the system's keychain.\n`;
  }
  return `Kept in ${file}, whose key is ${shortPath(store.keyFile, from)}: ${whyWords(store.why)}.\n`;
}

type FileReason = Extract<StoreInUse, { readonly kind: 'file' }>['why'];

function whyWords(why: FileReason): string {
  if (why === 'chosen') return 'PLUGBOARD_SECRETS is "file"';
  if (why === 'not-yet') return 'it moves to the keychain when a secret is stored';
  return `no keychain is used, since ${problemWords(why)}`;
}

export interface StoreDocument {
  readonly kind: StoreInUse['kind'];
  readonly why: string | null;
}

export function storeDocument(store: StoreInUse): StoreDocument {
  if (store.kind === 'keychain') return { kind: 'keychain', why: null };
  return { kind: 'file', why: typeof store.why === 'string' ? store.why : store.why.kind };
}

function problemWords(problem: KeychainProblem): string {
  switch (problem.kind) {
    case 'no-library':
      return '@napi-rs/keyring, which opens it, is not installed';
    case 'no-node':
      return 'it is opened by Node, and this is another program';
    case 'timeout':
      return 'it did not answer in time';
    case 'no-entry':
      return 'the key is not in it';
    case 'no-service':
      return `it cannot be reached (${oneLine(problem.message)})`;
    case 'refused':
      return `it stayed closed (${oneLine(problem.message)})`;
    default:
      return problem satisfies never;
  }
}

export function keychainError(
  { need, where, problem }: Extract<SecretProblem, { readonly kind: 'no-keychain' }>,
  from: Standpoint,
): UsageError {
  const file = shortPath(where, from);
  const words = problemWords(problem);
  if (need === 'chosen') {
    return new UsageError(
      `PLUGBOARD_SECRETS is "keychain", and the system's keychain cannot be used: ${words}`,
      `${keychainFix(problem)}, or set PLUGBOARD_SECRETS to "file"`,
    );
  }
  return new UsageError(
    `the key to ${file} is in the system's keychain, and ${words}`,
    `${keychainFix(problem)}, or remove ${file} and store the secrets again`,
  );
}

/** How to make the keychain available. */
function keychainFix({ kind }: KeychainProblem): string {
  switch (kind) {
    case 'no-library':
      return 'install it, as npm does unless told otherwise (--include=optional)';
    case 'no-entry':
      return 'use the keychain that it was stored with';
    case 'no-node':
    case 'timeout':
    case 'no-service':
    case 'refused':
      return "run the command where the keychain is open, such as in your desktop's session";
    default:
      return kind satisfies never;
  }
}
