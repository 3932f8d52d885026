// Which file an edit for a scope goes to. Edits belong to the project as a whole, so that project
// and local settings lie at its top, whatever folder the person stands in.

import type { HostEnvironment } from '../../platform/index.ts';
import { localFiles, projectFiles, projectRoot, userFiles } from './locate-files.ts';

export type EditableScope = 'local' | 'project' | 'user';

export const EDITABLE_SCOPES: readonly EditableScope[] = ['local', 'project', 'user'];

/** The first file that is named for a scope, which is the one that counts most. */
export async function targetFile(
  environment: HostEnvironment,
  scope: EditableScope,
): Promise<string> {
  if (scope === 'user') return userSettingsFile(environment);
  const root = await projectRoot(environment.cwd);
  return (scope === 'local' ? localFiles(root) : projectFiles(root))[0].path;
}

/** The same for what is not a server: a file of servers alone may have no room for it. */
export async function settingsFile(
  environment: HostEnvironment,
  scope: EditableScope,
): Promise<string> {
  if (scope !== 'project') return targetFile(environment, scope);
  const files = projectFiles(await projectRoot(environment.cwd));
  return (files.find(({ format }) => format === 'plugboard') ?? files[0]).path;
}

/** The user's own settings. */
export function userSettingsFile(environment: HostEnvironment): string {
  return userFiles(environment)[0].path;
}
