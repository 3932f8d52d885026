// Reads the setting `discover` of one file: whether to use the servers of Claude Code, and those of editors
// that have the working directory open. Both are used unless a file or a variable turns them off.

import type { HostEnvironment } from '../../platform/index.ts';
import { type ConfigFile, exactFields, flag, type SettingsText } from '../text/index.ts';
import { readObjectSetting, type ReadSettings } from './object-setting.ts';

const DISCOVER_KEY = 'discover';

export const discoverShape = exactFields({ claudeCode: flag, editors: flag });

/** The programs whose servers can be used. */
export type DiscoverySource = 'claudeCode' | 'editors';

/** The programs that the file turns off. */
export type DiscoverSetting = readonly DiscoverySource[];

const VARIABLES: Readonly<Record<DiscoverySource, string>> = {
  claudeCode: 'PLUGBOARD_CLAUDE_CODE',
  editors: 'PLUGBOARD_EDITORS',
};

const KIND = {
  key: DISCOVER_KEY,
  shape: discoverShape,
  suggestion:
    'Write it like "discover": { "claudeCode": false, "editors": false }, or take it out.',
};

/** Never throws. */
export function readDiscoverSetting(
  settings: SettingsText | undefined,
  file: Pick<ConfigFile, 'format'>,
): ReadSettings<DiscoverSetting> {
  const read = readObjectSetting(settings, file, KIND);
  if (read === undefined) return { settings: [], diagnostics: [] };
  const { fields, right, diagnostics } = read;
  // An invalid value was meant to change the default.
  const off = (['claudeCode', 'editors'] as const).filter(
    (what) => fields[what] !== undefined && right[what] !== true,
  );
  return { settings: [off], diagnostics };
}

/** Any file, or a variable with the value `off`, can turn a source off. */
export function isDiscovered(
  what: DiscoverySource,
  settings: readonly DiscoverSetting[],
  { env }: Pick<HostEnvironment, 'env'>,
): boolean {
  return env[VARIABLES[what]] !== 'off' && !settings.some((off) => off.includes(what));
}
