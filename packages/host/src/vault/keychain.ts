// The port to the system's keychain. Plugboard stores only keys in it, each under an id: a keychain may be small, slow,
// locked or missing, and may prompt the user, so it is used as little as possible.

import { err, type Result } from '@plugboard/base';

export interface Keychain {
  /** Checks that there is a keychain. Reads and writes nothing, so that the user is not prompted. */
  look(): Promise<Result<void, KeychainProblem>>;
  /** The key with this id. */
  read(id: string): Promise<Result<string, KeychainProblem>>;
  /** The key with this id, created if there is none. An existing key is never replaced. */
  make(id: string): Promise<Result<string, KeychainProblem>>;
}

export type KeychainProblem =
  /** `no-library`: the library that opens it is not installed. `no-node`: there is no Node to run it. */
  | { readonly kind: 'no-library' | 'no-node' | 'timeout' | 'no-entry' }
  /** `refused`: there is a keychain, but it stays locked or fails. */
  | { readonly kind: 'no-service' | 'refused'; readonly message: string };

/** For programs without a keychain. */
export const noKeychain: Keychain = {
  look: () => Promise.resolve(err({ kind: 'no-library' })),
  read: () => Promise.resolve(err({ kind: 'no-library' })),
  make: () => Promise.resolve(err({ kind: 'no-library' })),
};
