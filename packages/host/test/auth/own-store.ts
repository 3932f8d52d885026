// The store of credentials that the user of a home has, as the programs find it that run there.

import { systemClock } from '@plugboard/base';
import { type CredentialStore, vaultCredentials } from '../../src/auth/index.ts';
import { secretStore } from '../../src/vault/index.ts';

export function credentialsIn({ path }: { readonly path: string }): CredentialStore {
  const secrets = secretStore({ paths: pathsIn(path) });
  return vaultCredentials({ secrets, folder: `${path}/state/auth`, clock: systemClock });
}

export function pathsIn(home: string) {
  return { home, state: `${home}/state`, config: `${home}/config`, cache: `${home}/cache` };
}
