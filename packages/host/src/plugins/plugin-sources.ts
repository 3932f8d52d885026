// Reads all plugins of a working directory. Only reads files; never starts a program, never throws. Without
// plugins, no further code is loaded.

import { basename, extname } from 'node:path';
import type { Diagnostic, FolderWalk } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { type LocatedPlugin, locatePlugins } from './locate-plugins.ts';
import type { PluginSource, ReadPlugin } from './plugin-source.ts';

export async function pluginSources(
  environment: HostEnvironment,
  walk?: FolderWalk,
): Promise<readonly PluginSource[]> {
  return (await readPlugins(environment, walk)).map(({ source }) => source);
}

/** The same, with the details that are needed to configure the plugins. */
export async function readPlugins(
  environment: HostEnvironment,
  walk?: FolderWalk,
): Promise<readonly ReadPlugin[]> {
  const located = await locatePlugins(environment, walk);
  if (located.length === 0) return [];
  const [{ readPlugin }, { NO_DETAILS }] = await Promise.all([
    import('./read-plugin.ts'),
    import('./plugin-source.ts'),
  ]);
  const read = await Promise.all(
    located.map(async (plugin): Promise<ReadPlugin> => {
      const { kind, path: folder, from } = plugin;
      if (kind === 'folder') return readPlugin({ folder, from, environment });
      return { ...NO_DETAILS, kind: 'unknown', source: packedBundle(plugin) };
    }),
  );
  return withoutDuplicates(read);
}

/**
 * Of several plugins of one name, the first counts, and the user's come before a project's: otherwise a project could
 * replace a plugin that the user installed.
 */
function withoutDuplicates(plugins: readonly ReadPlugin[]): readonly ReadPlugin[] {
  const first = new Map<string, PluginSource>();
  return plugins.map((plugin) => {
    const { source } = plugin;
    // Names that differ only in letter case share their files on some systems.
    const key = source.plugin.toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      if (plugin.kind !== 'unknown') first.set(key, source);
      return plugin;
    }
    return plugin.kind === 'unknown'
      ? plugin
      : { ...plugin, source: duplicateSource(source, other) };
  });
}

function duplicateSource(source: PluginSource, other: PluginSource): PluginSource {
  const diagnostic: Diagnostic = {
    severity: 'warning',
    code: 'plugin-duplicate',
    message: `The plugin "${source.plugin}" is left out: ${other.folder} has that name.`,
    suggestion: 'Remove one of them, or give it another name.',
    file: source.file,
    line: 1,
    column: 1,
  };
  return { ...source, servers: [], diagnostics: [diagnostic] };
}

function packedBundle({ path, from }: LocatedPlugin): PluginSource {
  const diagnostic: Diagnostic = {
    severity: 'warning',
    code: 'plugin-manifest',
    message: 'A bundle has no effect before it is installed.',
    suggestion: `Run: plugboard plugin add ${path}`,
    file: path,
    line: 0,
    column: 0,
  };
  return {
    plugin: basename(path, extname(path)),
    file: path,
    folder: path,
    from,
    servers: [],
    diagnostics: [diagnostic],
    variables: {},
  };
}
