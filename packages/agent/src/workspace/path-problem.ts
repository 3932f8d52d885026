// The reasons why a path is refused, as messages for a model, and the paths that are never written: files that could run
// commands or extend permissions without approval. Decides by the text of a path. Pure.

import { err, type Result } from '@plugboard/base';
import { PATH_TEXT_WORDS, relativePath, shortenPath } from '../platform/index.ts';

export type PathProblem =
  | 'path-empty'
  | 'path-nul'
  | 'path-backslash'
  | 'path-too-long'
  | 'outside'
  | 'git-internals'
  | 'own-settings'
  | 'not-found'
  | 'not-a-file'
  | 'not-a-folder'
  | 'dangling-link'
  | 'special-file'
  | 'too-large'
  | 'changed'
  | 'not-text'
  | 'root-gone';

const WORDS: Readonly<Record<PathProblem, string>> = {
  ...PATH_TEXT_WORDS,
  'path-empty': 'the path is empty; give one inside the working directory, such as "src/main.ts"',
  outside: 'it leads out of the working directory; only files inside it can be changed',
  'git-internals': 'what git keeps in .git is not written; use git itself, with run_command',
  'own-settings': 'it decides what may be done without asking; a person has to change it',
  'not-found': 'there is no such file; write_file creates one',
  'not-a-file': 'it is a folder',
  'not-a-folder': 'a part of the path is a file, not a folder',
  'dangling-link': 'it is a link to something that does not exist',
  'special-file': 'it is a device, a pipe or a socket; only plain files are written',
  'too-large': 'the file is too large for this tool; use run_command',
  changed:
    'another program changed it at this moment, and nothing was written; read it and try again',
  'not-text': 'it is not text in UTF-8; use run_command or write_file',
  'root-gone': 'the working directory no longer exists',
};

export function pathMessage(problem: PathProblem, path: string): string {
  return `${JSON.stringify(shortenPath(path))}: ${WORDS[problem]}`;
}

/**
 * The path below the root with `/` between its parts; empty for the root itself. Accepts an absolute path that begins with
 * the root.
 */
export function pathBelow(root: string, path: string): Result<string, PathProblem> {
  const start = root.endsWith('/') ? root : `${root}/`;
  // With `./`, so that the rest is relative, whatever its beginning.
  const isFull = path.startsWith('/') && `${path}/`.startsWith(start);
  const below = isFull ? `./${path.slice(start.length)}` : path;
  // To shells, `~user` is a home folder; a file of that name can be written as `./~user`.
  if (below.startsWith('~')) return err('outside');
  const found = relativePath(below);
  if (found.ok) return found;
  const { error } = found;
  return err(error === 'path-absolute' || error === 'path-outside' ? 'outside' : error);
}

/** Why a path, with links resolved, is never written, if so. */
export function writeProtection(parts: readonly string[]): PathProblem | undefined {
  const folded = parts.map(fold);
  if (folded.some((part) => part === '.git' || part === 'git~1')) return 'git-internals';
  if (folded.includes('.plugboard')) return 'own-settings';
  const [folder, file] = folded.slice(-2);
  const isSettings = file === 'settings.json' || file === 'settings.local.json';
  return folder === '.claude' && isSettings ? 'own-settings' : undefined;
}

/** Compares names like file systems that ignore case and zero-width characters. */
function fold(part: string): string {
  return part.replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, '').toLowerCase();
}
