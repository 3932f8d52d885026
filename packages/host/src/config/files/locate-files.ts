// Lists the files that may contain servers for a working directory, strongest first. Searches only for the top of the
// project; whether a listed file exists turns out when it is read.

import { basename, dirname, join, posix, win32 } from 'node:path';
import { exists, foldersUpTo, type HostEnvironment } from '../../platform/index.ts';
import type { ConfigFile, FileFormat } from '../text/index.ts';

/** The folders from a working directory up to the top of its project, nearest first. */
export type FolderWalk = Promise<readonly string[]>;

/** At least one, strongest first. */
type FileList = readonly [ConfigFile, ...ConfigFile[]];

/** Local, project and user files, strongest first. Within a scope, nearer folders come first. */
export async function locateFiles(
  environment: HostEnvironment,
  walk: FolderWalk = projectFolders(environment.cwd),
): Promise<readonly ConfigFile[]> {
  const folders = await walk;
  const user = userFiles(environment);
  // If the walk reaches the home folder, a user file is not also a project file.
  const taken = new Set(user.map((file) => file.path));
  const inFolders = (filesIn: (folder: string) => FileList) =>
    folders.flatMap((folder) => filesIn(folder)).filter((file) => !taken.has(file.path));
  return [...inFolders(localFiles), ...inFolders(projectFiles), ...user];
}

/** Files of the machine's owner. */
export function enterpriseFiles(environment: HostEnvironment): readonly ConfigFile[] {
  const folder = enterpriseFolder(environment);
  const system = environment.platform === 'win32' ? win32 : posix;
  const named = (name: string, format: FileFormat): ConfigFile => ({
    path: system.join(folder, name),
    scope: 'enterprise',
    format,
    folder,
  });
  return [named('managed-mcp.json', 'managed'), named('managed-settings.json', 'policy')];
}

/** The top folder of the project, which contains `.git`, or the working directory if there is none. */
export async function projectRoot(
  cwd: string,
  walk: FolderWalk = projectFolders(cwd),
): Promise<string> {
  return (await walk).at(-1) ?? cwd;
}

/** The format of a file that a person names, derived from its path alone. */
export function formatOf(path: string): FileFormat {
  if (path.endsWith('.mcp.json')) return 'mcp-json';
  return /[\\/]\.claude[\\/]/.test(path) ? 'claude' : 'plugboard';
}

/** The project folder of a file, derived from its path alone; `undefined` for other files. */
export function folderOfFile(path: string): string | undefined {
  const folder = dirname(path);
  if (path.endsWith('.mcp.json')) return folder;
  return PROJECT_FOLDERS.has(basename(folder)) ? dirname(folder) : undefined;
}

const PROJECT_FOLDERS: ReadonlySet<string> = new Set(['.plugboard', '.claude']);

export function localFiles(folder: string): FileList {
  return [
    {
      path: join(folder, '.plugboard', 'settings.local.json'),
      scope: 'local',
      format: 'plugboard',
      folder,
    },
    {
      path: join(folder, '.claude', 'settings.local.json'),
      scope: 'local',
      format: 'claude',
      folder,
    },
  ];
}

export function projectFiles(folder: string): FileList {
  return [
    { path: join(folder, '.mcp.json'), scope: 'project', format: 'mcp-json', folder },
    {
      path: join(folder, '.plugboard', 'settings.json'),
      scope: 'project',
      format: 'plugboard',
      folder,
    },
    { path: join(folder, '.claude', 'settings.json'), scope: 'project', format: 'claude', folder },
  ];
}

export function userFiles({ home, paths }: HostEnvironment): FileList {
  return [
    { path: join(paths.config, 'settings.json'), scope: 'user', format: 'plugboard', folder: home },
    { path: join(home, '.claude', 'settings.json'), scope: 'user', format: 'claude', folder: home },
  ];
}

/** A path in the style of the given platform, which tests may vary. */
function enterpriseFolder({ platform, env }: HostEnvironment): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/Plugboard';
    case 'win32':
      return win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', 'Plugboard');
    default:
      return '/etc/plugboard';
  }
}

/** From the working directory up to the top of the project, nearest first. */
export function projectFolders(cwd: string): FolderWalk {
  // `.git` is a folder in a clone and a file in a worktree or a submodule.
  return foldersUpTo(cwd, (folder) => exists(join(folder, '.git')));
}
