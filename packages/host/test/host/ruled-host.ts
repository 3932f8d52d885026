// A host with its own project and home folder, and the settings in both.

import type { Scope } from '@plugboard/base';
import { type TempFolder, tempFolder } from '@plugboard/testkit';
import { createHost, type Host, type HostOptions } from '../../src/host/index.ts';
import type { HostEnvironment } from '../../src/platform/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

export const USER_FILE = 'home/.config/plugboard/settings.json';
export const PROJECT_FILE = 'project/.plugboard/settings.json';

export interface RuledHost {
  readonly folder: TempFolder;
  readonly environment: HostEnvironment;
  readonly host: Host;
}

/** Writes one setting per line, so that lines are known: `user[0]` is on line 2. */
export function settings(values: object): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

export async function ruledHost(
  scope: Scope,
  files: { readonly user?: object; readonly project?: object },
  options: HostOptions = {},
): Promise<RuledHost> {
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  if (files.user !== undefined) await folder.write(USER_FILE, settings(files.user));
  if (files.project !== undefined) await folder.write(PROJECT_FILE, settings(files.project));
  const environment = testEnvironment(folder.path, { env: { PATH: process.env['PATH'] ?? '' } });
  const host = scope.use(await createHost({ environment, watch: 'none', ...options }));
  return { folder, environment, host };
}
