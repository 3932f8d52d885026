// Records every secret that passes through the server, for tests that search logs and files for leaks. Values that
// people see on purpose (a user code, `state`) are not secrets.

import { randomBytes } from 'node:crypto';

export type SecretKind =
  | 'access-token'
  | 'refresh-token'
  | 'id-token'
  | 'identity-assertion'
  | 'authorization-code'
  | 'device-code'
  | 'client-secret'
  /** Made by the client, and sent only to this server. */
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

  /** Makes a random value. Its prefix identifies the kind in a leak. */
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
