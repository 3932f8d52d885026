// Finds a program that the machine has, by its name. Folders of the path that are relative, or that are inside the tree
// that is served, are left out: what lies there came with the tree and is no program of this machine.

import { access, constants, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';

export { devNull };

const ENDINGS = process.platform === 'win32' ? ['.exe'] : [''];

/** Its absolute path; `undefined` if there is none. */
export async function findProgram(name: string, outsideOf: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((one) => isAbsolute(one));
  for (const folder of folders) {
    for (const ending of ENDINGS) {
      const path = join(folder, name + ending);
      try {
        await access(path, constants.X_OK);
        const real = await realpath(path);
        if (!real.startsWith(outsideOf + sep)) return path;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}
