// Decides whether a path is inside a folder, after `.` and `..` are resolved and links are followed. A text that does not
// clearly name one place (a relative path, a `~`, unusual separators) is neither inside nor outside. The caller resolves
// links. Pure.

import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

export type PathStyle = 'posix' | 'win32';

export type Verdict = 'yes' | 'no' | 'unclear';

/**
 * The targets of complete paths, by the path in the text; without an entry for a path that could not be resolved.
 * `undefined` if no paths were resolved.
 */
export type RealPaths = ReadonlyMap<string, string>;

export interface Folder {
  /** The folder as written, and its real path. */
  readonly spellings: readonly string[];
  readonly style: PathStyle;
}

/** What is known about the paths in a call: the folder of relative ones, and the targets of all. */
export interface PathFacts {
  readonly folder?: string | undefined;
  readonly realPaths?: RealPaths | undefined;
}

export function isUnder(
  text: string,
  folder: Folder,
  { folder: from, realPaths: real }: PathFacts,
): Verdict {
  const path = completePath(text, folder.style, from);
  if (path === undefined) return 'unclear';
  const verdict = lexically(normalised(path, folder.style), folder);
  if (real === undefined) return verdict;
  const target = real.get(path);
  // A link that leads outside must not be allowed, and a link that leads inside must not bypass a denial.
  return target !== undefined && lexically(target, folder) === verdict ? verdict : 'unclear';
}

/** The complete path that a text names; `undefined` if it is ambiguous. */
export function completePath(text: string, style: PathStyle, from?: string): string | undefined {
  const path = /^file:/i.test(text)
    ? pathOfUrl(text, style)
    : from === undefined
      ? text
      : below(from, text, style);
  if (path === undefined || path.includes('\0')) return undefined;
  // `\x` and `C:x` are relative to a drive or folder of the server.
  if (style === 'win32') return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? path : undefined;
  const isOdd = path.includes('\\') && path.split(/[\\/]/).includes('..');
  return isOdd || !posix.isAbsolute(path) ? undefined : path;
}

/** Not normalised, since links before a `..` are resolved first. */
function below(from: string, text: string, style: PathStyle): string {
  const system = style === 'win32' ? win32 : posix;
  const isRelative = text !== '' && !system.isAbsolute(text) && !/^~|^[A-Za-z]:/.test(text);
  return isRelative ? `${from}${system.sep}${text}` : text;
}

function pathOfUrl(url: string, style: PathStyle): string | undefined {
  try {
    return fileURLToPath(url, { windows: style === 'win32' });
  } catch {
    // The URL names no file.
    return undefined;
  }
}

function normalised(path: string, style: PathStyle): string {
  const system = style === 'win32' ? win32 : posix;
  const plain = system.normalize(path);
  return plain.length > 1 && plain.endsWith(system.sep) ? plain.slice(0, -1) : plain;
}

function lexically(path: string, { spellings, style }: Folder): Verdict {
  if (spellings.some((folder) => isInside(path, folder, style))) return 'yes';
  // On a file system that ignores case, another spelling may be the same place.
  const folded = path.toLowerCase();
  const isNear = spellings.some((folder) => isInside(folded, folder.toLowerCase(), style));
  return isNear ? 'unclear' : 'no';
}

function isInside(path: string, folder: string, style: PathStyle): boolean {
  const separator = style === 'win32' ? win32.sep : posix.sep;
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(separator) ? folder : `${folder}${separator}`);
}
