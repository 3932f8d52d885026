// Where a program of the configuration starts, and what its relative paths mean. What a project's file states starts
// in the project, for which it was written. All else starts in a folder that no project has a say in, unless its entry
// names another with `cwd`: else a folder that was only cloned would decide what the user's own programs load.

import { isAbsolute, resolve, sep } from 'node:path';
import { isWithin } from '../../platform/index.ts';
import { scopeRow, type StatementPlace } from '../text/index.ts';

export interface StartFolders {
  /** The folder that the host works in. */
  readonly project: string;
  /** The top of the project. */
  readonly root: string;
  readonly neutral: string;
}

/** What `cwd` says for the folder that the host works in. */
export const IN_PROJECT = 'project';

/** The variable that tells a program the folder that the host works in; it can be used in entries as well. */
export const PROJECT_VARIABLE = 'PLUGBOARD_PROJECT';

/** Of what names no `cwd`. A file of the project that is named for this run is the project's file all the same. */
export function startFolder({ scope, origin }: StatementPlace, folders: StartFolders): string {
  const isNamedFile =
    scope === 'dynamic' && origin.kind === 'file' && isWithin(folders.root, origin.file);
  return folders[isNamedFile ? 'project' : scopeRow(scope).startsIn];
}

/** `folder` is what relative paths of its source are relative to. */
export function writtenFolder(cwd: string, folder: string, { project }: StartFolders): string {
  return cwd === IN_PROJECT ? project : resolve(folder, cwd);
}

/** Whether a command is a path that is relative to something, as opposed to a name that is looked for. */
export function isRelativeProgram(command: string): boolean {
  const isPath = command.includes('/') || command.includes(sep);
  return isPath && !isAbsolute(command);
}

/** A program that is named by a relative path is where its source says, wherever it starts. */
export function programPath(command: string, folder: string | undefined): string {
  return folder === undefined || !isRelativeProgram(command) ? command : resolve(folder, command);
}
