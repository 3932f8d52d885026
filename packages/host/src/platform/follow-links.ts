// Where a path really leads: the end of a chain of links, even if nothing is there yet, so that what is
// written for a link is written where the link points to.

import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CodedError, codeOf } from '@plugboard/base';

const MOST_LINKS = 40;

export async function followLinks(path: string): Promise<string> {
  let current = resolve(path);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const found = await look(current);
    if (found === undefined || !found.isSymbolicLink()) return current;
    // A link is relative to where it really lies, not to the way we came.
    const folder = await realpath(dirname(current));
    current = resolve(folder, await readlink(join(folder, basename(current))));
  }
  throw new CodedError('ELOOP', 'too many links', { data: { path } });
}

/** What is at a path, itself a link or not; `undefined` for nothing. */
export async function look(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
