// What one file says about servers of other programs on this machine: those that Claude Code has, and those of
// editors that have the working directory open. They are looked for unless a file or a variable says no.

import type { HostEnvironment } from '../../platform/index.ts';
import { type ConfigFile, exactFields, flag, type SettingsText } from '../text/index.ts';
import { readObjectSetting, type ReadSettings } from './object-setting.ts';

const DISCOVER_KEY = 'discover';

export const discoverShape = exactFields({ claudeCode: flag, editors: flag });

/** Whose servers are looked for. */
export type DiscoverySource = 'claudeCode' | 'editors';

/** Those that are not to be looked for. */
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
  // A value that cannot be understood was not meant to leave everything as it is.
  const off = (['claudeCode', 'editors'] as const).filter(
    (what) => fields[what] !== undefined && right[what] !== true,
  );
  return { settings: [off], diagnostics };
}

/** One file that says no is enough, whichever it is. A variable that is `off` says no, too. */
export function isDiscovered(
  what: DiscoverySource,
  settings: readonly DiscoverSetting[],
  { env }: Pick<HostEnvironment, 'env'>,
): boolean {
  return env[VARIABLES[what]] !== 'off' && !settings.some((off) => off.includes(what));
}
