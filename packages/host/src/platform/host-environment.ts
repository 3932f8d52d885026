// The one place that reads the ambient process: everyone else is handed what is found here.

import { ownHome, userPaths, type UserPaths } from '@plugboard/base/platform';

export interface HostEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly paths: UserPaths;
}

/** A snapshot: what changes afterwards is not seen. */
export function hostEnvironment(): HostEnvironment {
  const env = { ...process.env };
  const { platform } = process;
  const home = ownHome();
  return { env, cwd: process.cwd(), home, platform, paths: userPaths(env, platform, home) };
}
