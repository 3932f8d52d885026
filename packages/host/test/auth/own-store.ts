// The credential store of the user of a home folder, as programs that run there open it.

import { systemClock } from '@plugboard/base';
import { type CredentialStore, vaultCredentials } from '../../src/auth/index.ts';
import { secretStore } from '../../src/vault/index.ts';

export function credentialsIn({ path }: { readonly path: string }): CredentialStore {
  const paths = {
    ...{ home: path, state: `${path}/state`, config: `${path}/config`, cache: `${path}/cache` },
  };
  const env = { PLUGBOARD_SECRETS: 'file' };
  const secrets = secretStore({ paths, env, platform: 'linux' });
  return vaultCredentials({ secrets, folder: `${path}/state/auth`, clock: systemClock });
}
