// Which files may hold servers, for one working directory, in the order in which they count. Only
// looks for the top of the project; whether a listed file exists is found out by reading it.

import { basename, dirname, join, posix, win32 } from 'node:path';
import { exists, foldersUpTo, type HostEnvironment } from '../../platform/index.ts';
import type { ConfigFile, FileFormat } from '../text/index.ts';

/** The folders from a working directory up to the top of its project, nearest first. */
export type FolderWalk = Promise<readonly string[]>;

/** At least one, strongest first. */
type FileList = readonly [ConfigFile, ...ConfigFile[]];

/** Local, project and user files, strongest first: nearer folders first, then as named here. */
export async function locateFiles(
  environment: HostEnvironment,
  walk: FolderWalk = projectFolders(environment.cwd),
): Promise<readonly ConfigFile[]> {
  const folders = await walk;
  const user = userFiles(environment);
  // Where the walk passes through the home folder, a user file is not a project file as well.
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

/** The folder that `.git` marks as the top, or the working directory where there is none. */
export async function projectRoot(
  cwd: string,
  walk: FolderWalk = projectFolders(cwd),
): Promise<string> {
  return (await walk).at(-1) ?? cwd;
}

/** How a file is to be read, from its name alone; for files named by a person. */
export function formatOf(path: string): FileFormat {
  if (path.endsWith('.mcp.json')) return 'mcp-json';
  return /[\\/]\.claude[\\/]/.test(path) ? 'claude' : 'plugboard';
}

/** The folder of the project that a file belongs to, from its name alone; nothing for other files. */
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

/** These are the system's places, so their spelling follows the system that is asked about. */
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
