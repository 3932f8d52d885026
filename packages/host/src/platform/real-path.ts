// Where a path really leads, for telling whether two paths mean the same place.

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '@plugboard/base/platform';

/** With links resolved as far as the path exists. */
export async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    // Not there, or hidden: then only what is above it can be a link.
    const above = dirname(whole);
    return above === whole ? whole : join(await realPathOf(above), basename(whole));
  }
}

/** Where a path really leads, if that is outside a folder. */
export async function leadsOutOf(folder: string, path: string): Promise<string | undefined> {
  const [real, inside] = await Promise.all([realPathOf(path), realPathOf(folder)]);
  return isWithin(inside, real) ? undefined : real;
}

/** Longer than any system takes. */
const MAX_PATH_LENGTH = 32_768;

/**
 * Where a complete path leads as the system reads it, step by step: `a/link/..` is beside what the link leads to, not
 * beside the link. `undefined` if a step back goes through something that is not there.
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
