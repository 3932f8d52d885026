// Decides whether a server needs the user's approval: it does if a file that came with a folder or a plugin
// states what is started or reached, or enables a server that the user has disabled. trust-store.ts
// decides whether it was approved.

import {
  type Author,
  type FieldPath,
  type FieldReport,
  isForeign,
  isLaunch,
} from '../config/index.ts';

/** A value of the field `disabled`. */
export type Switch = Pick<FieldReport['from'][number], 'author' | 'value'>;

/** Whether this field is a foreign file's statement of what is started or reached. */
export function hasForeignSay({
  author,
  path,
}: {
  readonly author: Author;
  readonly path: FieldPath;
}): boolean {
  return isForeign(author) && isLaunch(path);
}

/**
 * Whether only a foreign file enables the server: without foreign files it would be disabled. `switches`:
 * those of all sources, strongest first.
 */
export function isTurnedOn(switches: readonly Switch[]): boolean {
  const [deciding] = switches;
  const own = switches.find(({ author }) => !isForeign(author));
  return deciding !== undefined && deciding.value !== true && own?.value === true;
}
