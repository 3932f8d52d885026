// The port to the storage of credentials. Changes to one record are exclusive, across processes, since a
// refresh token can be used only once.

import type { Result } from '@plugboard/base';
import type {
  Credential,
  CredentialKey,
  KnownServer,
  Registration,
  ServerKey,
} from './credential.ts';

export interface CredentialStore {
  readonly credentials: Shelf<CredentialKey, Credential>;
  readonly registrations: Shelf<Pick<Registration, 'issuer'>, Registration>;
  readonly servers: Shelf<ServerKey, KnownServer>;
}

/** The message holds nothing of what is stored. */
export interface StoreProblem {
  readonly kind: 'store-failed';
  readonly message: string;
}

export interface Shelf<Key, T extends Key> {
  read(key: Key): Promise<Result<T | undefined, StoreProblem>>;
  /**
   * Replaces a record by the result of `change` on its current value; `undefined` removes it. If the result
   * is the same object, nothing is written. Rejects if `change` does, and changes nothing then.
   */
  update(
    key: Key,
    change: Change<T>,
    signal: AbortSignal,
  ): Promise<Result<T | undefined, StoreProblem>>;
  list(): Promise<Result<readonly T[], StoreProblem>>;
}

export type Change<T> = (now: T | undefined) => Promise<T | undefined>;
