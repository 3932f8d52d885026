// Where programs store their settings on each system. Paths have the style of the given system, which may
// differ from the current one.

import { posix, win32 } from 'node:path';
import type { ForeignPath, ImportContext } from './foreign-host.ts';

type LocationContext = Pick<ImportContext, 'env' | 'home' | 'platform'>;

export function join(
  where: Pick<LocationContext, 'platform'>,
  ...parts: readonly string[]
): string {
  return where.platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

/** The folder for the settings of desktop applications. */
export function applicationFolder(where: LocationContext): string {
  switch (where.platform) {
    case 'darwin':
      return posix.join(where.home, 'Library', 'Application Support');
    case 'win32':
      return fromVariable(where, 'APPDATA') ?? win32.join(where.home, 'AppData', 'Roaming');
    default:
      return configFolder(where);
  }
}

/** `$XDG_CONFIG_HOME` or `~/.config`, on any system. */
export function configFolder(where: LocationContext): string {
  return fromVariable(where, 'XDG_CONFIG_HOME') ?? join(where, where.home, '.config');
}

/** The value of a variable, if it is an absolute path. */
export function fromVariable({ env, platform }: LocationContext, name: string): string | undefined {
  const value = env[name];
  const paths = platform === 'win32' ? win32 : posix;
  return value !== undefined && paths.isAbsolute(value) ? value : undefined;
}

/** The `User` folders of VS Code and of its other builds. */
export function vscodeFolders(where: LocationContext): readonly string[] {
  return ['Code', 'Code - Insiders', 'VSCodium'].map((name) =>
    join(where, applicationFolder(where), name, 'User'),
  );
}

export function userFile(path: string, syntax: ForeignPath['syntax'] = 'json'): ForeignPath {
  return { path, syntax, owner: 'user' };
}

/** A file below the top of the project. */
export function projectFile(where: ImportContext, ...parts: readonly string[]): ForeignPath {
  const path = join(where, where.project, ...parts);
  return { path, syntax: path.endsWith('.toml') ? 'toml' : 'json', owner: 'project' };
}
