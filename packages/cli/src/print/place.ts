// The place of a setting for people: `file:line:column`, relative to the current folder.

import { isAbsolute, relative, sep } from 'node:path';
import type { Diagnostic, HostEnvironment, Origin } from '@plugboard/host/configuration';

/** The folders that paths are shown relative to. */
export type Standpoint = Pick<HostEnvironment, 'cwd' | 'home'>;

export function place(origin: Origin, from: Standpoint): string {
  if (origin.kind === 'given')
    return isBuiltInOrigin(origin) ? 'built in' : `given by ${origin.by}`;
  return `${shortPath(origin.file, from)}:${origin.line}:${origin.column}`;
}

/** The command passes only its built-in servers to a host, so any given origin of these is built in. */
export function isBuiltInOrigin(origin: Origin): boolean {
  return origin.kind === 'given' && (origin.by === 'plugboard' || origin.by === 'createHost');
}

export function diagnosticPlace(diagnostic: Diagnostic, from: Standpoint): string {
  const { file, line, column, code } = diagnostic;
  const shown = shortPath(file, from);
  // A file that cannot be read has no lines.
  const isWhole = line === 0 || code.startsWith('file-');
  return isWhole ? shown : `${shown}:${line}:${column}`;
}

/**
 * Relative below the working folder, with `~` below the home folder, otherwise absolute. If the working folder is the home
 * folder, `~` is used: messages of the gateway in the background are read in other folders.
 */
export function shortPath(path: string, { cwd, home }: Standpoint): string {
  if (!isAbsolute(path)) return path;
  const fromCwd = cwd === home ? undefined : relativePathIn(cwd, path);
  if (fromCwd !== undefined) return fromCwd;
  const fromHome = relativePathIn(home, path);
  return fromHome === undefined ? path : `~${sep}${fromHome}`;
}

function relativePathIn(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  const leaves = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return leaves ? undefined : way;
}
