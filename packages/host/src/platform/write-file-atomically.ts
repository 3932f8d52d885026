// Writes a text file completely or not at all, following links. The caller prevents concurrent writes.

import { basename, dirname, resolve } from 'node:path';
import { CodedError } from '@plugboard/base';
import { replaceFile } from '@plugboard/base/platform';
import { followLinks, entryAt } from './follow-links.ts';
import { writeFailed } from './write-failed.ts';

/**
 * An existing file keeps its mode, restricted to `most`; a new one gets `mode`, or 0666 reduced by the umask. With
 * `links: 'refuse'` a link fails, including a dangling one: it may have come with its folder.
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
      existing: await entryAt(target),
      mode: options.mode,
      most: options.most,
      write: (draft) => draft.writeFile(text, 'utf8'),
    });
  } catch (thrown) {
    throw writeFailed(path, thrown);
  }
}
