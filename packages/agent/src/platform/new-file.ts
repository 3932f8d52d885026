// Creates a file that must not exist yet; an existing one is never replaced.

import { writeFile } from 'node:fs/promises';
import { codeOf } from '@plugboard/base';

/** Returns the error code of a failure. */
export async function writeNewFile(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) ?? 'UNKNOWN';
  }
}
