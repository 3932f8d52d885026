// The store of this user on this machine. What keeps the secrets is loaded when the first is asked
// for, since most commands ask for none.

import { join } from 'node:path';
import { type Clock, systemClock } from '@plugboard/base';
import type { HostEnvironment } from '../platform/index.ts';
import type { SecretStore } from './secret-store.ts';

export function secretStore(
  environment: Pick<HostEnvironment, 'paths'>,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): SecretStore {
  const { paths } = environment;
  let loading: Promise<SecretStore> | undefined;
  const loaded = (): Promise<SecretStore> => {
    loading ??= import('./file-secrets.ts').then(({ fileSecrets }) =>
      fileSecrets({
        file: join(paths.state, 'secrets.json'),
        keyFile: join(paths.config, 'secrets.key'),
        clock,
      }),
    );
    return loading;
  };
  return {
    get: async (name) => (await loaded()).get(name),
    set: async (name, value) => (await loaded()).set(name, value),
    remove: async (name) => (await loaded()).remove(name),
    names: async () => (await loaded()).names(),
  };
}
