// Writes a text file as a whole or not at all, at the place to which its path leads. Who else may write the same file at
// the same time is the caller's business.

import { basename, dirname } from 'node:path';
import { replaceFile } from '@plugboard/base/platform';
import { followLinks, look } from './follow-links.ts';
import { writeFailed } from './write-failed.ts';

/** A file that exists keeps its mode; a new one gets `mode`, or what the umask leaves of 0666. */
export async function writeFileAtomically(
  path: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    const target = await followLinks(path);
    await replaceFile(dirname(target), basename(target), {
      existing: await look(target),
      mode: options.mode,
      write: (draft) => draft.writeFile(text, 'utf8'),
    });
  } catch (thrown) {
    throw writeFailed(path, thrown);
  }
}
