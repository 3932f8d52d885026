// Where something is configured, as people write it: `file:line:column`.

import { isAbsolute, relative } from 'node:path';
import type { Origin } from '@plugboard/host';

export function place(origin: Origin, cwd: string): string {
  return origin.kind === 'given'
    ? `given by ${origin.by}`
    : `${shortPath(origin.file, cwd)}:${origin.line}:${origin.column}`;
}

/** Relative where that is shorter and does not climb. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const below = relative(cwd, path);
  return below === '' || below.startsWith('..') ? path : below;
}
