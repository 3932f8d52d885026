// A HostEnvironment whose home and working directory are in a temporary folder.

import { join } from 'node:path';
import { type HostEnvironment, userPaths } from '../../src/platform/index.ts';

export function testEnvironment(
  root: string,
  changes: Partial<Pick<HostEnvironment, 'cwd' | 'env' | 'platform' | 'home'>> = {},
): HostEnvironment {
  const { cwd = join(root, 'project'), env = {}, platform = 'linux' } = changes;
  const { home = join(root, 'home') } = changes;
  return { env, cwd, home, platform, paths: userPaths(env, platform, home) };
}

/** The folder in which programs of that environment start that do not belong to a project. */
export function neutralIn(root: string): string {
  return join(root, 'home', '.local', 'state', 'plugboard', 'neutral');
}
