// Why a path is refused, in words that a model can act on. Pure: decides on the text of a path; what is on the disk
// is looked at elsewhere.

import { err, ok, type Result } from '@plugboard/base';

export type PathProblemCode =
  | 'path-empty'
  | 'path-absolute'
  | 'path-outside'
  | 'path-nul'
  | 'path-backslash'
  | 'path-too-long'
  | 'not-found'
  | 'not-a-file'
  | 'not-a-folder'
  | 'special-file'
  | 'unreadable'
  | 'binary-file'
  | 'no-such-line'
  | 'root-gone';

export interface PathProblem {
  readonly code: PathProblemCode;
  /** As it was given, shortened. */
  readonly path: string;
  readonly message: string;
}

const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;
const LONGEST_SHOWN = 120;

const WORDS: Readonly<Record<PathProblemCode, string>> = {
  'path-empty': 'the path is empty; give a path relative to the root, such as "src/main.ts"',
  'path-absolute': 'paths are relative to the root; give it without the leading part',
  'path-outside': 'it leads out of the root; only what is inside the root can be read',
  'path-nul': 'a path cannot hold a NUL character',
  'path-backslash': 'use "/" between folders, not "\\"',
  'path-too-long': 'the path is longer than any file can have',
  'not-found': 'there is no such file or folder; list_directory shows what there is',
  'not-a-file': 'it is a folder; use list_directory for it',
  'not-a-folder': 'it is a file; use read_file for it',
  'special-file': 'it is a device, a pipe or a socket; only plain files are read',
  unreadable: 'the system does not let this server read it',
  'binary-file': 'it is a binary file, which has no lines to show',
  'no-such-line': 'the file ends before that line',
  'root-gone': 'the root folder of this server no longer exists',
};

export function pathProblem(code: PathProblemCode, path: string): PathProblem {
  const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, LONGEST_SHOWN)}…` : path;
  return { code, path: shown, message: `${JSON.stringify(shown)}: ${WORDS[code]}` };
}

/** The path with `/` between its parts and without `.`; the empty text is the root itself. */
export function normalPath(path: string): Result<string, PathProblem> {
  const refuse = (code: PathProblemCode): Result<never, PathProblem> =>
    err(pathProblem(code, path));
  if (path === '') return refuse('path-empty');
  if (path.includes('\0')) return refuse('path-nul');
  if (Buffer.byteLength(path) > LONGEST_PATH) return refuse('path-too-long');
  if (path.startsWith('/') || path.startsWith('~/') || /^[A-Za-z]:/.test(path)) {
    return refuse('path-absolute');
  }
  if (path.includes('\\')) return refuse('path-backslash');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  // Also where it would lead back in: such a path either means something outside, or can be written without `..`.
  if (parts.includes('..')) return refuse('path-outside');
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME)) return refuse('path-too-long');
  return ok(parts.join('/'));
}
