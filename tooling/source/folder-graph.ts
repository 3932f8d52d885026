// Turns the imports of source files into arrows between folders. It uses the folders on disk, not those of rooms.json,
// so that it also finds a cycle below a room. A file directly in `src` counts as a folder. Pure.

import { posix } from 'node:path';

export interface Module {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly specifiers: readonly string[];
}

/**
 * `packageFolders` maps npm names to the folder that holds the package's sources. Modules from
 * elsewhere, and files that import from their own folder, draw no arrow.
 */
export function folderGraph(
  modules: readonly Module[],
  packageFolders: ReadonlyMap<string, string>,
): Map<string, Set<string>> {
  const paths = new Set(modules.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const { path, specifiers } of modules) {
    const from = folderOf(path);
    const arrows = graph.get(from) ?? new Set();
    graph.set(from, arrows);
    for (const specifier of specifiers) {
      const target = candidates(path, specifier, packageFolders).find((file) => paths.has(file));
      if (target !== undefined && folderOf(target) !== from) arrows.add(folderOf(target));
    }
  }
  return graph;
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return posix.basename(folder) === 'src' ? path : folder;
}

/** The files that a specifier may resolve to; a package exports rooms and files of its `src`. */
function candidates(
  path: string,
  specifier: string,
  packageFolders: ReadonlyMap<string, string>,
): string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(path), specifier)];
  for (const [name, folder] of packageFolders) {
    if (specifier === name) return [`${folder}/index.ts`];
    if (specifier.startsWith(`${name}/`)) {
      const stem = folder + specifier.slice(name.length);
      return [`${stem}.ts`, `${stem}/index.ts`];
    }
  }
  return [];
}
