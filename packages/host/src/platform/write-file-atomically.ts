// Writes a text file as a whole or not at all, at the place to which its path leads. Who else may write the same file at
// the same time is the caller's business.

import { basename, dirname, resolve } from 'node:path';
import { CodedError } from '@plugboard/base';
import { replaceFile } from '@plugboard/base/platform';
import { followLinks, look } from './follow-links.ts';
import { writeFailed } from './write-failed.ts';

/**
 * A file that exists keeps its mode, cut to `most`; a new one gets `mode`, or what the umask leaves of 0666. With
 * `links: 'refuse'` a link fails, including one that leads nowhere yet: it may have come with its folder.
 */
export async function writeFileAtomically(
  path: string,
  text: string,
  options: { readonly mode?: number; readonly most?: number; readonly links?: 'refuse' } = {},
): Promise<void> {
  try {
    const target = await followLinks(path);
    if (options.links === 'refuse' && target !== resolve(path)) {
      throw new CodedError('ELOOP', 'it is a link', { data: { path } });
    }
    await replaceFile(dirname(target), basename(target), {
      existing: await look(target),
      mode: options.mode,
      most: options.most,
      write: (draft) => draft.writeFile(text, 'utf8'),
    });
  } catch (thrown) {
    throw writeFailed(path, thrown);
  }
}
