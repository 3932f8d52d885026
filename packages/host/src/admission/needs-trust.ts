// Whether a server needs the user's approval to start: it does if a file that came with a folder, or a plugin, says
// what would run or be reached, or enables what its owner had disabled. Whether it was approved is the trust store's
// business.

import { type Author, type FieldPath, isForeign, isLaunch } from '../config/index.ts';

/** A field that counts, and who can have written it. */
export interface AuthoredField {
  readonly author: Author;
  readonly path: FieldPath;
}

/** One source's `disabled`. */
export interface Switch {
  readonly author: Author;
  readonly isDisabled: boolean;
}

/** Whether a file that came with a folder, or a plugin, says by this field what would run or be reached. */
export function hasForeignSay({ author, path }: AuthoredField): boolean {
  return isForeign(author) && isLaunch(path);
}

/**
 * Whether it is on because of a foreign file, and would be off without all of those. `switches` are all
 * of them, strongest first.
 */
export function isTurnedOn(switches: readonly Switch[]): boolean {
  const [deciding] = switches;
  const own = switches.find(({ author }) => !isForeign(author));
  return deciding?.isDisabled === false && own?.isDisabled === true;
}
