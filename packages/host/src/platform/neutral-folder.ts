// The folder in which programs start that are no project's own. It is this user's, and empty but for a `package.json`,
// at which npm ends its search: no settings, packages or modules of the folder that one works in are found from there.

import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { isWithin } from '@plugboard/base/platform';
import type { HostEnvironment } from './host-environment.ts';
import { isOwn } from './own-files.ts';

/** `root` is the top of the project. Where the user's own files are kept in a project, the top of the disk stands in. */
export function neutralFolder({ paths }: Pick<HostEnvironment, 'paths'>, root: string): string {
  const { state, home } = paths;
  const isInProject = isWithin(root, state) && !isWithin(root, home);
  return isInProject ? topOf(state) : join(state, NEUTRAL);
}

const NEUTRAL = 'neutral';

/**
 * The folder to start a program in, where `folder` is meant. The neutral one is made if it is not there, and the top of
 * the disk stands in for it where that fails.
 */
export function openStartFolder(folder: string, { paths }: Pick<HostEnvironment, 'paths'>): string {
  if (folder !== join(paths.state, NEUTRAL)) return folder;
  const top = topOf(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isOwn(found)) return top;
    if ((found.mode & OTHERS) !== 0) chmodSync(folder, 0o700);
    endSearch(join(folder, 'package.json'));
    return folder;
  } catch {
    // The disk may be full, or not to be written.
    return top;
  }
}

/** What users other than the owner may do. */
const OTHERS = 0o077;

function endSearch(path: string): void {
  try {
    writeFileSync(path, '{ "private": true }\n', { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there already.
  }
}

function topOf(path: string): string {
  return parse(path).root;
}
