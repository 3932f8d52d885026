// Every secret that passed through the server, for tests that search logs and files for leaks.
// What people are shown on purpose (a user code, `state`) is none.

import { randomBytes } from 'node:crypto';

export type SecretKind =
  | 'access-token'
  | 'refresh-token'
  | 'id-token'
  | 'identity-assertion'
  | 'authorization-code'
  | 'device-code'
  | 'client-secret'
  /** Made by the client, and shown to this server only. */
  | 'code-verifier'
  | 'client-assertion'
  | 'assertion';

export interface Secret {
  readonly kind: SecretKind;
  readonly value: string;
}

const PREFIXES: Readonly<Record<SecretKind, string>> = {
  'access-token': 'at',
  'refresh-token': 'rt',
  'id-token': 'id',
  'identity-assertion': 'jag',
  'authorization-code': 'code',
  'device-code': 'dc',
  'client-secret': 'cs',
  'code-verifier': 'cv',
  'client-assertion': 'ca',
  assertion: 'as',
};

export class SecretLedger {
  readonly #secrets: Secret[] = [];

  /** A new value that cannot be guessed. Its prefix tells what leaked, if it does. */
  mint(kind: SecretKind): string {
    return this.keep(kind, `${PREFIXES[kind]}_${randomBytes(24).toString('base64url')}`);
  }

  keep(kind: SecretKind, value: string): string {
    this.#secrets.push({ kind, value });
    return value;
  }

  get all(): readonly Secret[] {
    return this.#secrets;
  }
}
