// Lists the files of this repository, for checks of all files.

import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds rooms.json and package.json. */
export const repositoryRoot: string = fileURLToPath(new URL('../..', import.meta.url));

/** Files under `folder` whose name ends in `ending`: sorted, relative to the root, forward slashes. */
export function filesUnder(
  folder: string,
  ending: string,
  root: string = repositoryRoot,
): string[] {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .toSorted();
}

/** The names of the folders directly in `folder`, sorted. */
export function foldersIn(folder: string, root: string = repositoryRoot): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
