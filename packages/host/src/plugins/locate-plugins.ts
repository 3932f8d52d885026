// Finds plugins: those that the user installed, and those of a project. Only looks for folders and bundles,
// without reading them.

import { basename, extname, join } from 'node:path';
import { type FolderWalk, projectFolders } from '../config/index.ts';
import { type HostEnvironment, listFolder } from '../platform/index.ts';

export interface LocatedPlugin {
  /** A packed bundle is not installed and only yields a warning. */
  readonly kind: 'folder' | 'packed-bundle';
  readonly path: string;
  readonly from: 'user' | 'project';
}

/** The extensions of bundles. */
const BUNDLE_ENDINGS: readonly string[] = ['.mcpb', '.dxt'];

/** The manifests of plugins that are not bundles. The first one that exists counts. */
export const PLUGIN_MANIFESTS: readonly string[] = [
  '.plugboard-plugin/plugin.json',
  '.claude-plugin/plugin.json',
  'plugin.json',
];
export const BUNDLE_MANIFEST = 'manifest.json';
export const PLUGIN_SERVERS = '.mcp.json';

/** The files that are read in a plugin's folder, except those that its manifest names. */
export function pluginFiles(folder: string): readonly string[] {
  return [...PLUGIN_MANIFESTS, BUNDLE_MANIFEST, PLUGIN_SERVERS].map((name) => join(folder, name));
}

export function pluginsFolder({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.config, 'plugins');
}

/** The folders that may contain plugins: the user's folder first, then those of the project, nearest first. */
export async function pluginFolders(
  environment: HostEnvironment,
  walk: FolderWalk = projectFolders(environment.cwd),
): Promise<readonly string[]> {
  const user = pluginsFolder(environment);
  const project = (await walk).map((folder) => join(folder, '.plugboard', 'plugins'));
  return [user, ...project.filter((folder) => folder !== user)];
}

export async function locatePlugins(
  environment: HostEnvironment,
  walk?: FolderWalk,
): Promise<readonly LocatedPlugin[]> {
  const folders = await pluginFolders(environment, walk);
  const found = await Promise.all(
    folders.map((folder, index) => pluginsIn(folder, index === 0 ? 'user' : 'project')),
  );
  return found.flat();
}

async function pluginsIn(
  folder: string,
  from: LocatedPlugin['from'],
): Promise<readonly LocatedPlugin[]> {
  return (await listFolder(folder)).flatMap(({ name, kind }): readonly LocatedPlugin[] => {
    const path = join(folder, name);
    if (name.startsWith('.')) return [];
    if (kind === 'folder') return [{ kind, path, from }];
    return kind === 'file' && isBundle(name) ? [{ kind: 'packed-bundle', path, from }] : [];
  });
}

export function isBundle(path: string): boolean {
  return BUNDLE_ENDINGS.includes(extname(basename(path)).toLowerCase());
}
