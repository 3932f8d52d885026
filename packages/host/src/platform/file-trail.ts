// The places where a change can make a path lead to another file: the folder of the file, or the nearest folder that
// exists, and the folder of every link on the way. Folders are real paths, without links.

import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';

/** A name in a folder, of an entry that may not exist. */
export interface FolderEntryName {
  readonly folder: string;
  readonly name: string;
}

type EntryKind =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'file' }
  | { readonly kind: 'link'; readonly target: string };

const MOST_LINKS = 40;

/** Shares work between many paths: each entry is read once. */
export class FileTrails {
  readonly #kinds = new Map<string, Promise<EntryKind>>();

  async of(path: string): Promise<readonly FolderEntryName[]> {
    const whole = resolve(path);
    const places: FolderEntryName[] = [];
    let folder = parse(whole).root;
    let rest = stepsOf(whole);
    while (rest.length > 0) {
      const [name = '', ...after] = rest;
      rest = after;
      if (name === '..') {
        folder = dirname(folder);
        continue;
      }
      const found = await this.#kindOf(join(folder, name));
      if (found.kind === 'folder' && after.length > 0) {
        folder = join(folder, name);
        continue;
      }
      places.push({ folder, name });
      if (found.kind !== 'link' || places.length > MOST_LINKS) break;
      if (isAbsolute(found.target)) folder = parse(found.target).root;
      rest = [...stepsOf(found.target), ...after];
    }
    return places;
  }

  #kindOf(path: string): Promise<EntryKind> {
    const seen = this.#kinds.get(path) ?? readKind(path);
    this.#kinds.set(path, seen);
    return seen;
  }
}

function stepsOf(path: string): readonly string[] {
  return path
    .slice(parse(path).root.length)
    .split(SEPARATOR)
    .filter((step) => step !== '' && step !== '.');
}

const SEPARATOR = process.platform === 'win32' ? /[\\/]/ : '/';

async function readKind(path: string): Promise<EntryKind> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(path) };
    return { kind: found.isDirectory() ? 'folder' : 'file' };
  } catch {
    // Missing, just removed, or unreadable: the path ends here for now.
    return { kind: 'nothing' };
  }
}
