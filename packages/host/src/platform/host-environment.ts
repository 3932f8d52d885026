// The only place that reads the ambient process; all other code gets its values as parameters.

import { ownHome, userPaths, type UserPaths } from '@plugboard/base/platform';

export interface HostEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly paths: UserPaths;
}

/** A snapshot, which does not follow later changes. */
export function hostEnvironment(): HostEnvironment {
  const env = { ...process.env };
  const { platform } = process;
  const home = ownHome();
  return { env, cwd: process.cwd(), home, platform, paths: userPaths(env, platform, home) };
}
