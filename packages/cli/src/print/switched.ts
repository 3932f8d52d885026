// The texts of `enable` and `disable`.

import type { Origin } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { place, shortPath, type Standpoint } from './place.ts';

type State = 'enabled' | 'disabled';

export function switchedWords(
  { name, to, file }: { readonly name: string; readonly to: State; readonly file: string },
  from: Standpoint,
): string {
  const done = to === 'enabled' ? 'Enabled' : 'Disabled';
  return `${done} "${name}" in ${shortPath(file, from)}.\n`;
}

export function alreadyWords(name: string, state: State): string {
  return state === 'enabled' ? `"${name}" is not disabled.\n` : `"${name}" is disabled already.\n`;
}

/** A stronger entry overrides the change. */
export function stillWords(
  {
    name,
    state,
    origin,
  }: { readonly name: string; readonly state: State; readonly origin: Origin },
  from: Standpoint,
): string {
  return `Note: "${name}" is still ${state}, since ${place(origin, from)} counts more.\n`;
}

export function ownedError(name: string): UsageError {
  return new UsageError(
    `"${name}" is configured by the owner of this machine`,
    'ask them to change it',
  );
}
