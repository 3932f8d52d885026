// Resolves the links of a path, to compare paths.

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '@plugboard/base/platform';

/** Resolves links as far as the path exists. */
export async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    // Missing or unreadable: only a folder above it can be a link.
    const above = dirname(whole);
    return above === whole ? whole : join(await realPathOf(above), basename(whole));
  }
}

/** The real path, if it is outside a folder. */
export async function leadsOutOf(folder: string, path: string): Promise<string | undefined> {
  const [real, inside] = await Promise.all([realPathOf(path), realPathOf(folder)]);
  return isWithin(inside, real) ? undefined : real;
}

/** Longer than any system accepts. */
const MAX_PATH_LENGTH = 32_768;

/**
 * The real path of an absolute path as the system resolves it, step by step: `a/link/..` is the parent of the link's
 * target, not of the link. `undefined` if `..` follows something that does not exist.
 */
export async function leadsTo(path: string): Promise<string | undefined> {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    const last = basename(path);
    if (above === path || last === '..' || last === '.') return undefined;
    const folder = await leadsTo(above);
    return folder === undefined ? undefined : join(folder, last);
  }
}
