// Follows a chain of links to its end, even if nothing exists there yet, so that a file is written where a link points
// to.

import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CodedError, codeOf } from '@plugboard/base';

const MOST_LINKS = 40;

export async function followLinks(path: string): Promise<string> {
  let current = resolve(path);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const found = await entryAt(current);
    if (found === undefined || !found.isSymbolicLink()) return current;
    // A link is relative to its real folder, not to the path that led to it.
    const folder = await realpath(dirname(current));
    current = resolve(folder, await readlink(join(folder, basename(current))));
  }
  throw new CodedError('ELOOP', 'too many links', { data: { path } });
}

/** The entry at a path, without following links; `undefined` if there is none. */
export async function entryAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
