// Where something must happen for a path to lead to another file than now: the folder that holds the
// file, or the nearest one that exists, and the folder of every link on the way. Folders come as they
// really lie, without links in them.

import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';

/** A name in a folder. Whether anything has that name is another matter. */
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

/** One walk for many paths: what they have in common is looked at once. */
export class FileTrails {
  readonly #seen = new Map<string, Promise<EntryKind>>();

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
      const sight = await this.#look(join(folder, name));
      if (sight.kind === 'folder' && after.length > 0) {
        folder = join(folder, name);
        continue;
      }
      places.push({ folder, name });
      if (sight.kind !== 'link' || places.length > MOST_LINKS) break;
      if (isAbsolute(sight.target)) folder = parse(sight.target).root;
      rest = [...stepsOf(sight.target), ...after];
    }
    return places;
  }

  #look(path: string): Promise<EntryKind> {
    const seen = this.#seen.get(path) ?? look(path);
    this.#seen.set(path, seen);
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

async function look(path: string): Promise<EntryKind> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(path) };
    return { kind: found.isDirectory() ? 'folder' : 'file' };
  } catch {
    // Not there, gone while we looked, or hidden from us: the way ends here for now.
    return { kind: 'nothing' };
  }
}
