// The port to the system's own store of secrets. All that we keep in it is keys, each under an id: a
// keychain may be small, slow, locked or gone, and asks a person for leave, so it is asked for little.

import { err, type Result } from '@plugboard/base';

export interface Keychain {
  /** Whether there is one. Nothing is read or written, so that the user is not prompted. */
  look(): Promise<Result<void, KeychainProblem>>;
  /** The key with this id. */
  read(id: string): Promise<Result<string, KeychainProblem>>;
  /** The key with this id, made now if there is none. A key that is there is never replaced. */
  make(id: string): Promise<Result<string, KeychainProblem>>;
}

export type KeychainProblem =
  /** `no-library`: what opens it is not installed. `no-node`: there is no Node to open it with. */
  | { readonly kind: 'no-library' | 'no-node' | 'timeout' | 'no-entry' }
  /** `refused`: it is there, and stays locked or does not do as told. */
  | { readonly kind: 'no-service' | 'refused'; readonly message: string };

/** Where a program does without. */
export const noKeychain: Keychain = {
  look: () => Promise.resolve(err({ kind: 'no-library' })),
  read: () => Promise.resolve(err({ kind: 'no-library' })),
  make: () => Promise.resolve(err({ kind: 'no-library' })),
};
