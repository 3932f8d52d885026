// Decides which file an edit of a scope changes. Project and local settings are at the top of the project,
// whatever the working directory.

import type { HostEnvironment } from '../../platform/index.ts';
import { localFiles, projectFiles, projectRoot, userFiles } from './locate-files.ts';

export type EditableScope = 'local' | 'project' | 'user';

export const EDITABLE_SCOPES: readonly EditableScope[] = ['local', 'project', 'user'];

/** The strongest file of a scope. */
export async function targetFile(
  environment: HostEnvironment,
  scope: EditableScope,
): Promise<string> {
  if (scope === 'user') return userSettingsFile(environment);
  const root = await projectRoot(environment.cwd);
  return (scope === 'local' ? localFiles(root) : projectFiles(root))[0].path;
}

/** The same for settings other than servers, for which a bare map of servers has no room. */
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
