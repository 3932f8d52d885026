// Checks that the repository that git found for a tree belongs to that tree. Its files may be links, or name another
// repository: git would then report commits that are unrelated to the tree.

import { join, resolve } from 'node:path';
import { isWithin, readPlainBytes, realPathNow } from '../platform/index.ts';
import { type ObjectsOwner, ownerOfObjects } from './own-objects.ts';

export interface FoundRepository {
  /** Where git stores what belongs to this working tree alone. */
  readonly folder: string;
  /** The top of the working tree. */
  readonly top: string;
  /** Where git stores what all working trees of the repository share. */
  readonly common: string;
  /** The full name of the branch that is checked out, or `HEAD`. */
  readonly branch: string;
}

const MOST_BYTES = 64 * 1024;

/** Who owns the commits that git would report there. */
export async function ownerOfRepository(found: FoundRepository): Promise<ObjectsOwner> {
  const { top, common } = found;
  if (!(await isOwnRepository(found))) return 'elsewhere';
  const within = [top, common].map((path) => realPathNow(path) ?? path);
  return ownerOfObjects(join(common, 'objects'), within);
}

async function isOwnRepository(found: FoundRepository): Promise<boolean> {
  const { folder, top, common, branch } = found;
  if (!isWithin(common, folder)) return false;
  const real = realPathNow(common);
  const holdsItself = ['HEAD', 'packed-refs', 'reftable', 'refs', branch, 'objects', 'objects/pack']
    .flatMap((name) => [join(folder, name), join(common, name)])
    .map(realPathNow)
    .every((path) => path === undefined || (real !== undefined && isWithin(real, path)));
  return holdsItself && (isWithin(top, folder) || (await isClaimed(folder, top)));
}

/** A git folder elsewhere names its owner: that of a worktree the `.git` file, that of a submodule its folder. */
async function isClaimed(folder: string, top: string): Promise<boolean> {
  const back = await textOf(join(folder, 'gitdir'));
  if (back !== undefined && resolve(folder, back.trim()) === join(top, '.git')) return true;
  const config = await textOf(join(folder, 'config'));
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(config ?? '')?.[1];
  return worktree !== undefined && resolve(folder, worktree.trim()) === top;
}

async function textOf(file: string): Promise<string | undefined> {
  return (await readPlainBytes(file, MOST_BYTES))?.toString('utf8');
}
