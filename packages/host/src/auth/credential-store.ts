// The port to whatever keeps credentials. Changes are made while nobody else makes one to the same
// record, in this process or another, since a refresh token can be used only once.

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

/** The message holds nothing of what is kept. */
export interface StoreProblem {
  readonly kind: 'store-failed';
  readonly message: string;
}

export interface Shelf<Key, T extends Key> {
  read(key: Key): Promise<Result<T | undefined, StoreProblem>>;
  /**
   * Replaces a record by what `change` makes of it as it is then; nothing removes it. What is the same
   * object as before is not written. Rejects as `change` does, and nothing is changed then.
   */
  update(
    key: Key,
    change: Change<T>,
    signal: AbortSignal,
  ): Promise<Result<T | undefined, StoreProblem>>;
  list(): Promise<Result<readonly T[], StoreProblem>>;
}

export type Change<T> = (now: T | undefined) => Promise<T | undefined>;
