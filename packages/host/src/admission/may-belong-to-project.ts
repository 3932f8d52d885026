// Whether a file of the user's state, such as the record of approvals, could have come with a project.

import { isAbsolute, join } from 'node:path';
import { exists, isWithin, realPathOf } from '../platform/index.ts';

/**
 * Stricter than `comesWith`: if the home directory is itself a repository, everyone with write access to that
 * repository could have committed the file.
 */
export async function mayBelongToProject(
  path: string,
  { root, home }: { readonly root: string; readonly home: string },
): Promise<boolean> {
  if (!isWithin(root, path)) return false;
  // One that is no complete path would be looked for below wherever one is.
  const isHome = isAbsolute(home) && isWithin(root, await realPathOf(home));
  return !isHome || (await exists(join(root, '.git')));
}
