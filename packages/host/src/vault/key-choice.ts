// Where the user wants the key to their secrets: PLUGBOARD_SECRETS says so. Pure.

import type { HostEnvironment } from '../platform/index.ts';

/** `auto`: in the keychain where there is one, else in a file. */
export type KeyChoice = 'auto' | 'keychain' | 'file';

export function keyChoice({ env }: Pick<HostEnvironment, 'env'>): KeyChoice | undefined {
  const { PLUGBOARD_SECRETS: said = '' } = env;
  if (said === '') return 'auto';
  return said === 'auto' || said === 'keychain' || said === 'file' ? said : undefined;
}
