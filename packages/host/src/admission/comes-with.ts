// Whether a file could have come with a project, as opposed to being the user's own.

import { isAbsolute, join } from 'node:path';
import { exists, isWithin, realPathOf } from '../platform/index.ts';

interface Project {
  /** The project's top folder. */
  readonly root: string;
  readonly home: string;
}

/** It lies in the project's folder, and that is not the user's whole home. */
export function comesWith(path: string, { root, home }: Project): boolean {
  return isWithin(root, path) && !isWithin(root, home);
}

/**
 * Stricter than `comesWith`: if the home directory is itself a repository, everyone with write access to that
 * repository could have committed the file.
 */
export async function mayComeWith(path: string, { root, home }: Project): Promise<boolean> {
  if (!isWithin(root, path)) return false;
  // One that is no complete path would be looked for below wherever one is.
  const isHome = isAbsolute(home) && isWithin(root, await realPathOf(home));
  return !isHome || (await exists(join(root, '.git')));
}
