// The real path of a folder, with links resolved.

import { lstat, realpath } from 'node:fs/promises';
import { isOfKernel } from './confined-open.ts';

/** Nothing where it is no folder, cannot be reached, or is none of the user's. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() && !isOfKernel(real) ? real : undefined;
  } catch {
    return undefined;
  }
}
