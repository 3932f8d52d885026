// Reads the setting `codebase` of one file: whether the built-in server is disabled, and its options.
// Admission decides whose settings count; the server checks whether an embedder or a store can be used.

import type { ConfigFile, Origin, Scope, SettingsText } from '../text/index.ts';
import { codebaseShape } from './codebase-shape.ts';
import { type ReadObjectSetting, readObjectSetting, type ReadSettings } from './object-setting.ts';

export const CODEBASE_KEY = 'codebase';

export interface CodebaseSetting {
  readonly scope: Scope;
  readonly origin: Origin;
  readonly disabled?: boolean;
  /** As written, with a valid shape. An embedder or a store may receive code on another machine. */
  readonly embedder?: unknown;
  readonly store?: unknown;
  /** Programs that answer questions about code. */
  readonly languageServers?: unknown;
  /** Folders that are searched besides the project. */
  readonly roots?: unknown;
  /** Hosts whose repositories may be fetched. */
  readonly remotes?: unknown;
}

const KIND = {
  key: CODEBASE_KEY,
  shape: codebaseShape,
  suggestion: 'Write it like "codebase": { "embedder": "none" }, or take it out.',
};

/** Whether a server is the built-in one and disabled by any file. */
export function isLeftOut(
  server: string,
  { codebase }: { readonly codebase: readonly CodebaseSetting[] },
): boolean {
  return server === CODEBASE_KEY && codebase.some(({ disabled }) => disabled === true);
}

/** Never throws. */
export function readCodebaseSetting(
  settings: SettingsText | undefined,
  file: Pick<ConfigFile, 'scope' | 'format'>,
): ReadSettings<CodebaseSetting> {
  const read = readObjectSetting(settings, file, KIND);
  if (read === undefined) return { settings: [], diagnostics: [] };
  const { origin, right, diagnostics } = read;
  const setting = { ...right, ...switchOf(read), scope: file.scope, origin };
  return { settings: [setting], diagnostics };
}

/** An invalid value counts as disabled: its author did not want the default. */
function switchOf({ fields, right }: ReadObjectSetting): Pick<CodebaseSetting, 'disabled'> {
  if (fields['disabled'] === undefined) return {};
  return { disabled: right['disabled'] === undefined || right['disabled'] === true };
}
