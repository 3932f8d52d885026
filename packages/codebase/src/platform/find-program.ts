// Finds a program on PATH by its name. Relative folders and folders inside the served tree are skipped: a program there
// came with the tree, and is not one of this machine.

import { access, constants, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';

export { devNull };

const ENDINGS = process.platform === 'win32' ? ['.exe'] : [''];

/** The absolute path of the program; `undefined` if it is not found. */
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
