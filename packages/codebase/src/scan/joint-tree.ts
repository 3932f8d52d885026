// Presents several roots as one tree: the first part of every path is the name of a root. Each root confines its own paths;
// a root that is gone is left out of requests for all roots.

import { isAbsolute } from 'node:path';
import { codeOf, err, never, ok, type Result } from '@plugboard/base';
import { isWithin } from '../platform/index.ts';
import type { DirectoryPage, DirectoryRequest } from './list-directory.ts';
import type { ListedFile } from './list-files.ts';
import { normalPath, type PathProblem, pathProblem } from './path-problem.ts';
import type { FilePage, FileStat, ReadRequest, Root, Tree } from './root.ts';

export interface NamedRoot {
  readonly name: string;
  readonly root: Root;
}

/** The member whose name a path begins with, and the path within it; `undefined` if there is none. */
export function memberAt<Member extends { readonly name: string }>(
  members: readonly Member[],
  path: string,
): { readonly member: Member; readonly within: string } | undefined {
  const [first = '', ...rest] = path.split('/');
  const member = members.find(({ name }) => name === first);
  return member === undefined ? undefined : { member, within: rest.join('/') };
}

type Place =
  | { readonly kind: 'all' }
  | { readonly kind: 'one'; readonly named: NamedRoot; readonly within: string };

export class JointTree implements Tree {
  readonly #roots: readonly NamedRoot[];

  constructor(roots: readonly NamedRoot[]) {
    this.#roots = roots;
  }

  normal(path: string): Result<string, PathProblem> {
    const place = this.#placeOf(path);
    if (!place.ok) return place;
    const { value } = place;
    return ok(value.kind === 'all' ? '' : joined(value.named.name, value.within));
  }

  async resolve(path: string): Promise<Result<string, PathProblem>> {
    const there = await this.stat(path);
    return there.ok ? this.normal(path) : there;
  }

  async stat(path: string): Promise<Result<FileStat, PathProblem>> {
    const place = this.#placeOf(path);
    if (!place.ok) return place;
    if (place.value.kind === 'all') {
      if ((await this.#existingRoots()).length === 0) return err(pathProblem('root-gone', path));
      return ok({ kind: 'folder', size: 0, mtimeMs: 0 });
    }
    const { named, within } = place.value;
    return withGivenPath(await named.root.stat(within || '.'), path);
  }

  async whyWithheld(path: string): Promise<'secret' | 'ignored' | undefined> {
    const place = this.#placeOf(path);
    if (!place.ok || place.value.kind === 'all') return undefined;
    return place.value.named.root.whyWithheld(place.value.within || '.');
  }

  async read(
    path: string,
    request: ReadRequest = {},
    signal: AbortSignal = never,
  ): Promise<Result<FilePage, PathProblem>> {
    const place = this.#filePlace(path);
    if (!place.ok) return place;
    const { named, within } = place.value;
    const read = withGivenPath(await named.root.read(within || '.', request, signal), path);
    return read.ok ? ok({ ...read.value, path: joined(named.name, read.value.path) }) : read;
  }

  async readBytes(
    path: string,
    maxBytes: number,
  ): Promise<Result<Buffer | undefined, PathProblem>> {
    const place = this.#filePlace(path);
    if (!place.ok) return place;
    const { named, within } = place.value;
    return withGivenPath(await named.root.readBytes(within || '.', maxBytes), path);
  }

  async list(
    path: string,
    request: DirectoryRequest = {},
  ): Promise<Result<DirectoryPage, PathProblem>> {
    const place = this.#placeOf(path);
    if (!place.ok) return place;
    if (place.value.kind === 'all') return ok(pageOfRoots(await this.#existingRoots()));
    const { named, within } = place.value;
    const listed = withGivenPath(await named.root.list(within || '.', request), path);
    if (!listed.ok) return listed;
    const { entries, ...page } = listed.value;
    return ok({
      ...page,
      path: joined(named.name, page.path),
      entries: entries.map((entry) => ({ ...entry, path: joined(named.name, entry.path) })),
    });
  }

  async *paths(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    for (const { name, root } of this.#roots) {
      for await (const path of untilGone(root.paths(signal))) yield joined(name, path);
    }
  }

  async *files(signal: AbortSignal): AsyncGenerator<ListedFile, void, undefined> {
    for (const { name, root } of this.#roots) {
      for await (const file of untilGone(root.files(signal))) {
        yield { ...file, path: joined(name, file.path) };
      }
    }
  }

  #filePlace(path: string): Result<Extract<Place, { readonly kind: 'one' }>, PathProblem> {
    const place = this.#placeOf(path);
    if (!place.ok) return place;
    return place.value.kind === 'one' ? ok(place.value) : err(pathProblem('not-a-file', path));
  }

  #placeOf(path: string): Result<Place, PathProblem> {
    if (isAbsolute(path)) return this.#absolutePlace(path);
    const normal = normalPath(path);
    if (!normal.ok) return normal;
    if (normal.value === '') return ok({ kind: 'all' });
    const at = memberAt(this.#roots, normal.value);
    if (at === undefined) return err(pathProblem('root-unknown', path));
    return ok({ kind: 'one', named: at.member, within: at.within });
  }

  #absolutePlace(path: string): Result<Place, PathProblem> {
    const named = this.#roots.find(({ root }) => isWithin(root.path, path));
    if (named === undefined) return err(pathProblem('path-absolute', path));
    const within = named.root.normal(path);
    return within.ok ? ok({ kind: 'one', named, within: within.value }) : within;
  }

  async #existingRoots(): Promise<readonly NamedRoot[]> {
    const stats = await Promise.all(this.#roots.map(({ root }) => root.stat('.')));
    return this.#roots.filter((_, at) => stats[at]?.ok === true);
  }
}

function joined(name: string, within: string): string {
  return within === '' ? name : `${name}/${within}`;
}

/** Replaces the path in a problem with the one that the caller passed. */
function withGivenPath<T>(result: Result<T, PathProblem>, path: string): Result<T, PathProblem> {
  return result.ok ? result : err(pathProblem(result.error.code, path));
}

function pageOfRoots(roots: readonly NamedRoot[]): DirectoryPage {
  const entries = roots.map(
    ({ name }) => ({ name, path: name, kind: 'folder', isIgnored: false }) as const,
  );
  return { path: '', entries, total: entries.length, isCut: false, isMarked: true };
}

/** Ends the listing of a root that is gone. */
async function* untilGone<T>(listing: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* listing;
  } catch (thrown) {
    if (codeOf(thrown) !== 'root-gone') throw thrown;
  }
}
