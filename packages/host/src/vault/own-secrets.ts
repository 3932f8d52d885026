// The secret store of this user on this machine. Its implementation is loaded with the first request, since most
// commands need no secret.

import { join } from 'node:path';
import { type Clock, err, systemClock } from '@plugboard/base';
import type { HostEnvironment } from '../platform/index.ts';
import type { OwnSecrets } from './file-secrets.ts';
import { keyChoice } from './secret-keys.ts';

export function secretStore(
  environment: Pick<HostEnvironment, 'paths' | 'env' | 'platform'>,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): OwnSecrets {
  let loading: Promise<OwnSecrets> | undefined;
  const loaded = (): Promise<OwnSecrets> => {
    loading ??= load(environment, clock);
    return loading;
  };
  return {
    get: async (name) => (await loaded()).get(name),
    set: async (name, value) => (await loaded()).set(name, value),
    remove: async (name) => (await loaded()).remove(name),
    names: async () => (await loaded()).names(),
    inUse: async () => (await loaded()).inUse(),
  };
}

async function load(
  environment: Pick<HostEnvironment, 'paths' | 'env' | 'platform'>,
  clock: Clock,
): Promise<OwnSecrets> {
  const choice = keyChoice(environment);
  if (choice === undefined) return UNUSABLE;
  const [{ fileSecrets }, { systemKeychain }] = await Promise.all([
    import('./file-secrets.ts'),
    import('./system-keychain.ts'),
  ]);
  return fileSecrets({
    file: join(environment.paths.state, 'secrets.json'),
    keyFile: join(environment.paths.config, 'secrets.key'),
    keychain: systemKeychain({ environment, clock }),
    choice,
    clock,
  });
}

/** PLUGBOARD_SECRETS is invalid, so it is unknown which store to use. */
const refuse = () => Promise.resolve(err({ kind: 'invalid-choice' } as const));
const UNUSABLE: OwnSecrets = {
  get: refuse,
  set: refuse,
  remove: refuse,
  names: refuse,
  inUse: refuse,
};
