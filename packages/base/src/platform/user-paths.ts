// The folders for the user's files, for a given environment and platform. Pure.

import { posix, win32 } from 'node:path';

export interface UserPaths {
  readonly home: string;
  readonly config: string;
  readonly state: string;
  readonly cache: string;
}

const OWN_FOLDER = 'plugboard';

export function userPaths(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): UserPaths {
  return platform === 'win32' ? windowsPaths(env, home) : xdgPaths(env, home);
}

/** https://specifications.freedesktop.org/basedir-spec/latest/, on macOS too. */
function xdgPaths(env: Readonly<Record<string, string | undefined>>, home: string): UserPaths {
  // The specification says to ignore relative paths.
  const base = (name: string, ...otherwise: readonly string[]): string => {
    const value = env[name];
    const isGiven = value !== undefined && posix.isAbsolute(value);
    return posix.join(isGiven ? value : posix.join(home, ...otherwise), OWN_FOLDER);
  };
  return {
    home,
    config: base('XDG_CONFIG_HOME', '.config'),
    state: base('XDG_STATE_HOME', '.local', 'state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
  };
}

function windowsPaths(env: Readonly<Record<string, string | undefined>>, home: string): UserPaths {
  const base = (name: string, otherwise: string): string => {
    const value = env[name];
    const isGiven = value !== undefined && win32.isAbsolute(value);
    return win32.join(isGiven ? value : win32.join(home, 'AppData', otherwise), OWN_FOLDER);
  };
  const local = base('LOCALAPPDATA', 'Local');
  return {
    home,
    config: base('APPDATA', 'Roaming'),
    state: win32.join(local, 'State'),
    cache: win32.join(local, 'Cache'),
  };
}
