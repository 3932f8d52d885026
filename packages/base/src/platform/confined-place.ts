// Reads and replaces one file below a root folder, safe against concurrent changes of links and folders. The folders on
// the way are opened one by one without following links, and all further access goes through the handle of the last one.
// The caller checks that the path is well formed.

import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { codeOf, err, ok, type Result } from '../index.ts';
import { isOfKernel, isWithin, OPEN_FOLDER, pathOfHandle, pathThrough } from './confinement.ts';
import {
  type FileNow,
  type FileProblem,
  readFileAt,
  removeFileAt,
  type ReplaceOptions,
  replaceFileAt,
} from './file-in-folder.ts';

export type PlaceProblem =
  | 'outside'
  | 'not-found'
  | 'not-a-folder'
  | 'dangling-link'
  | 'special-file'
  | 'root-gone';

export interface PlaceOptions {
  /** Whether to create missing folders of the path. */
  readonly folders: 'make' | 'expect';
  readonly seams?: WalkSeams | undefined;
}

/** Lets tests change the tree at the worst moments: after links were resolved, and after all folders were opened. */
export interface WalkSeams {
  readonly beforeWalk?: () => Promise<void>;
  readonly afterWalk?: () => Promise<void>;
}

/** `root` must be a real path. Throws errors of the system other than those of missing paths. */
export async function openPlace(
  root: string,
  path: string,
  options: PlaceOptions,
): Promise<Result<ConfinedPlace, PlaceProblem>> {
  const parts = await realParts(root, path);
  if (!parts.ok) return parts;
  await options.seams?.beforeWalk?.();
  const name = parts.value.at(-1);
  if (name === undefined) return err('special-file');
  const folder = await walk(root, parts.value.slice(0, -1), options);
  return folder.ok
    ? ok(new ConfinedPlace(folder.value, { root, parts: parts.value, name }))
    : folder;
}

/** The parts of the path below the root, with links resolved as far as the path exists. */
export async function realParts(
  root: string,
  path: string,
): Promise<Result<readonly string[], PlaceProblem>> {
  const parts = path.split('/').filter((part) => part !== '');
  for (let count = parts.length; count >= 0; count -= 1) {
    const found = await realOf(join(root, ...parts.slice(0, count)));
    if (!found.ok) return found;
    if (found.value === undefined) continue;
    if (!isWithin(root, found.value)) return err('outside');
    if (isOfKernel(found.value)) return err('special-file');
    const above = relative(root, found.value)
      .split(sep)
      .filter((part) => part !== '');
    return ok([...above, ...parts.slice(count)]);
  }
  return err('root-gone');
}

export class ConfinedPlace implements AsyncDisposable {
  /** Relative to the root, without links. */
  readonly path: string;
  readonly #folder: OpenFolder;
  readonly #name: string;

  constructor(
    folder: OpenFolder,
    place: { readonly root: string; readonly parts: readonly string[]; readonly name: string },
  ) {
    this.path = place.parts.join('/');
    this.#folder = folder;
    this.#name = place.name;
  }

  /** `undefined` if there is no such file. */
  read(maxBytes: number): Promise<Result<FileNow | undefined, FileProblem>> {
    return readFileAt(join(this.#folder.through, this.#name), maxBytes);
  }

  /** Replaces it completely or not at all. */
  replace(bytes: Uint8Array, options: ReplaceOptions): Promise<Result<void, FileProblem>> {
    return replaceFileAt(this.#folder.through, this.#name, { ...options, bytes });
  }

  remove(expected: FileNow): Promise<Result<void, FileProblem>> {
    return removeFileAt(join(this.#folder.through, this.#name), expected);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder.handle.close();
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
  /** The path for accessing its entries. */
  readonly through: string;
}

async function realOf(path: string): Promise<Result<string | undefined, PlaceProblem>> {
  try {
    return ok(await realpath(path));
  } catch (thrown) {
    switch (codeOf(thrown)) {
      case 'ENOENT':
        return (await isLink(path)) ? err('dangling-link') : ok(undefined);
      case 'ENOTDIR':
        return err('not-a-folder');
      case 'ELOOP':
        return err('outside');
      default:
        throw thrown;
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

async function walk(
  root: string,
  parts: readonly string[],
  { folders, seams }: PlaceOptions,
): Promise<Result<OpenFolder, PlaceProblem>> {
  const first = await openFolder(root, root);
  if (!first.ok) return err('root-gone');
  let folder = first.value;
  for (const part of parts) {
    await using _ = folder.handle;
    const next = await enter(folder, part, folders);
    if (!next.ok) return next;
    folder = next.value;
  }
  await seams?.afterWalk?.();
  // A folder may have been moved away while it was walked through.
  const reached = await pathOfHandle(folder.handle, folder.path);
  if (reached !== undefined && isWithin(root, reached)) return ok(folder);
  await folder.handle.close();
  return err('outside');
}

async function enter(
  folder: OpenFolder,
  part: string,
  folders: PlaceOptions['folders'],
): Promise<Result<OpenFolder, PlaceProblem>> {
  const at = join(folder.through, part);
  const path = join(folder.path, part);
  const found = await openFolder(at, path);
  if (found.ok || found.error !== 'not-found' || folders === 'expect') return found;
  try {
    await mkdir(at);
  } catch (thrown) {
    // Another process made it in the meantime.
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  }
  return openFolder(at, path);
}

async function openFolder(at: string, path: string): Promise<Result<OpenFolder, PlaceProblem>> {
  try {
    const handle = await open(at, OPEN_FOLDER);
    return ok({ handle, path, through: pathThrough(handle, path) });
  } catch (thrown) {
    switch (codeOf(thrown)) {
      case 'ENOENT':
        return err('not-found');
      case 'ELOOP':
        return err('outside');
      case 'ENOTDIR':
        return err((await isLink(at)) ? 'outside' : 'not-a-folder');
      default:
        throw thrown;
    }
  }
}
