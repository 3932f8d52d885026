// Why a path is refused, in words that a model can act on. Pure: checks only the text of a path, and not what is on the
// disk.

import { err, type Result } from '@plugboard/base';
import { PATH_TEXT_WORDS, relativePath, shortenPath } from '../platform/index.ts';

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
  | 'root-gone'
  | 'root-unknown';

export interface PathProblem {
  readonly code: PathProblemCode;
  /** The path as given, shortened. */
  readonly path: string;
  readonly message: string;
}

const WORDS: Readonly<Record<PathProblemCode, string>> = {
  ...PATH_TEXT_WORDS,
  'path-empty': 'the path is empty; give a path relative to the root, such as "src/main.ts"',
  'path-absolute': 'it is not inside the root; give a path relative to the root',
  'path-outside': 'it leads out of the root; only what is inside the root can be read',
  'not-found': 'there is no such file or folder; list_directory shows what there is',
  'not-a-file': 'it is a folder; use list_directory for it',
  'not-a-folder': 'it is a file; use read_file for it',
  'special-file': 'it is a device, a pipe or a socket; only plain files are read',
  unreadable: 'the system does not let this server read it',
  'binary-file': 'it is a binary file, which has no lines to show',
  'no-such-line': 'the file ends before that line',
  'root-gone': 'the root folder of this server no longer exists',
  'root-unknown': 'it does not begin with the name of a root; list_directory of "." shows them',
};

export function pathProblem(code: PathProblemCode, path: string): PathProblem {
  const shown = shortenPath(path);
  return { code, path: shown, message: `${JSON.stringify(shown)}: ${WORDS[code]}` };
}

/** The path with `/` between its parts and without `.`; empty for the root itself. */
export function normalPath(path: string): Result<string, PathProblem> {
  const found = relativePath(path);
  return found.ok ? found : err(pathProblem(found.error, path));
}
