// Checks the text of a path that a model wrote: it must be relative and stay inside its base folder. The disk is not
// accessed. Pure.

import { err, ok, type Result } from '../index.ts';

export type PathTextProblem =
  | 'path-empty'
  | 'path-nul'
  | 'path-too-long'
  | 'path-absolute'
  | 'path-backslash'
  | 'path-outside';

const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;
const LONGEST_SHOWN = 120;

/** Messages for the model that do not depend on the tool. */
export const PATH_TEXT_WORDS = {
  'path-nul': 'a path cannot hold a NUL character',
  'path-backslash': 'use "/" between folders, not "\\"',
  'path-too-long': 'the path is longer than any file can have',
} as const satisfies Partial<Record<PathTextProblem, string>>;

/** The path with `/` between its parts and without `.`; the empty text is the folder itself. */
export function relativePath(path: string): Result<string, PathTextProblem> {
  if (path === '') return err('path-empty');
  if (path.includes('\0')) return err('path-nul');
  if (Buffer.byteLength(path) > LONGEST_PATH) return err('path-too-long');
  if (path.startsWith('/') || path.startsWith('~/') || /^[A-Za-z]:/.test(path)) {
    return err('path-absolute');
  }
  if (path.includes('\\')) return err('path-backslash');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  // Even if it leads back inside: such a path can be written without `..`.
  if (parts.includes('..')) return err('path-outside');
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME)) return err('path-too-long');
  return ok(parts.join('/'));
}

/** For messages. */
export function shortenPath(path: string): string {
  return path.length > LONGEST_SHOWN ? `${path.slice(0, LONGEST_SHOWN)}…` : path;
}
