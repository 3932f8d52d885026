// Decides in which folder a program of the configuration starts, and to which folder its relative paths are
// relative. A program from a project's file starts in the project. Any other program starts in a folder that
// no project can influence, unless its entry names another one with `cwd`; otherwise a freshly cloned folder
// could decide what the user's own programs load.

import { isAbsolute, resolve, sep } from 'node:path';
import { isWithin } from '../../platform/index.ts';
import { scopeRow, type StatementPlace } from '../text/index.ts';

export interface StartFolders {
  /** The working folder of the host. */
  readonly project: string;
  /** The top of the project. */
  readonly root: string;
  readonly neutral: string;
}

/** The value of `cwd` for the working folder of the host. */
export const IN_PROJECT = 'project';

/** The variable with the working folder of the host, for programs; entries can use it as well. */
export const PROJECT_VARIABLE = 'PLUGBOARD_PROJECT';

/**
 * The folder of a program without a `cwd`. A project's file that is named for this run still belongs to the
 * project.
 */
export function startFolder({ scope, origin }: StatementPlace, folders: StartFolders): string {
  const isNamedFile =
    scope === 'dynamic' && origin.kind === 'file' && isWithin(folders.root, origin.file);
  return folders[isNamedFile ? 'project' : scopeRow(scope).startsIn];
}

/** `folder`: the folder to which relative paths of the source are relative. */
export function writtenFolder(cwd: string, folder: string, { project }: StartFolders): string {
  return cwd === IN_PROJECT ? project : resolve(folder, cwd);
}

/** Whether a command is a relative path, as opposed to a name that is searched for in PATH. */
export function isRelativeProgram(command: string): boolean {
  const isPath = command.includes('/') || command.includes(sep);
  return isPath && !isAbsolute(command);
}

/** A relative path of a program is relative to `folder`, wherever the program starts. */
export function programPath(command: string, folder: string | undefined): string {
  return folder === undefined || !isRelativeProgram(command) ? command : resolve(folder, command);
}
