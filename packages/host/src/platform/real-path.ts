// Where a path really leads, for telling whether two paths mean the same place.

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

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
