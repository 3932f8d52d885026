// Whether a server may start only after the user has approved it: when a file that came with a folder,
// or a plugin, has a word in what would run or be reached, or turns on what its owner had off.
// Whether it was approved is the trust store's business.

import { type FieldPath, isLaunch, type Scope } from '../config/index.ts';

export interface Source {
  readonly scope: Scope;
  /** The file lies in a repository or in another project's folder. */
  readonly fromRepository: boolean;
}

/** A field that counts, and who wrote it. */
export interface SourcedField extends Source {
  readonly path: FieldPath;
}

/** One source's `disabled`. */
export interface Switch extends Source {
  readonly isDisabled: boolean;
}

/** Whether a file that came with a folder, or a plugin, says by this field what would run or be reached. */
export function hasForeignSay(field: SourcedField): boolean {
  return isForeign(field) && isLaunch(field.path);
}

/**
 * A repository can hold a file of any name, one for local settings too. A file that a person named for this run
 * is that person's word, wherever it lies.
 */
export function isForeign({ scope, fromRepository }: Source): boolean {
  if (scope === 'dynamic') return false;
  return fromRepository || scope === 'local' || scope === 'project' || scope === 'plugin';
}

/** All files of a folder are one party. A plugin that the user installed is another: it has the user's answers. */
export function partyOf(source: Source): 'user' | 'folder' | 'plugin' {
  if (!isForeign(source)) return 'user';
  return source.scope === 'plugin' && !source.fromRepository ? 'plugin' : 'folder';
}

/**
 * Whether it is on because of a foreign file, and would be off without all of those. `switches` are all
 * of them, strongest first.
 */
export function isTurnedOn(switches: readonly Switch[]): boolean {
  const [deciding] = switches;
  const own = switches.find((one) => !isForeign(one));
  return deciding?.isDisabled === false && own?.isDisabled === true;
}
