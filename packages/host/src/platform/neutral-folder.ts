// The folder in which programs start that do not belong to a project. It is this user's, and empty except for a
// `package.json`, at which npm ends its search: no settings, packages or modules of the current folder are found there.

import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { isWithin } from '@plugboard/base/platform';
import type { HostEnvironment } from './host-environment.ts';
import { isOwn } from './own-files.ts';

/** `root` is the top of the project. If the user's own files are in a project, the top of the disk is used. */
export function neutralFolder({ paths }: Pick<HostEnvironment, 'paths'>, root: string): string {
  const { state, home } = paths;
  const isInProject = isWithin(root, state) && !isWithin(root, home);
  return isInProject ? topOf(state) : join(state, NEUTRAL);
}

const NEUTRAL = 'neutral';

/** The folder to start a program in. Creates the neutral folder; if that fails, the top of the disk is used instead. */
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
    // The disk may be full or read-only.
    return top;
  }
}

/** What users other than the owner may do. */
const OTHERS = 0o077;

function endSearch(path: string): void {
  try {
    writeFileSync(path, '{ "private": true }\n', { flag: 'wx', mode: 0o600 });
  } catch {
    // It exists already.
  }
}

function topOf(path: string): string {
  return parse(path).root;
}
