// Creates a file that must not exist yet; an existing one is never replaced.

import { writeFile } from 'node:fs/promises';
import { codeOf } from '@plugboard/base';

/** The code of what went wrong, or nothing. */
export async function writeNewFile(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) ?? 'UNKNOWN';
  }
}
