// Reads one file of configuration: its claims, its policies, its other settings, and its problems.

import {
  type Claim,
  claim,
  type ConfigFile,
  type Diagnostic,
  type ObjectSettings,
  objectSettings,
  originPosition,
  type ParsedFile,
  type PolicyFindings,
  type PolicyList,
  readConfigFile,
  type ReadFile,
  readObjectSettings,
  readPolicyLists,
  type SettingsText,
  unreadablePolicy,
  type RawEntry,
  type WrittenServer,
} from '../config/index.ts';
import { type CallSettings, callSettingsIn } from './call-settings.ts';

export interface Source extends SourceSettings {
  readonly file: ConfigFile;
  readonly state: ReadFile['state'];
  readonly claims: readonly Claim[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The settings of a file other than its servers. */
export interface SourceSettings extends ObjectSettings {
  readonly policies: readonly PolicyList[];
  readonly permissions: CallSettings['permissions'];
  readonly hooks: CallSettings['hooks'];
  /** As written. */
  readonly settings?: SettingsText | undefined;
}

export const NO_SETTINGS: SourceSettings = {
  policies: [],
  permissions: [],
  hooks: [],
  ...objectSettings(() => []),
};

/** `first`: the position of the first file among all sources. */
export function readSources(
  files: readonly ConfigFile[],
  first: number,
): Promise<readonly Source[]> {
  return Promise.all(
    files.map(async (file, index) => fileSource(file, first + index, await readConfigFile(file))),
  );
}

function fileSource(file: ConfigFile, position: number, content: ReadFile): Source {
  if (content.state === 'missing') {
    return { file, state: 'missing', claims: [], diagnostics: [], ...NO_SETTINGS };
  }
  const { scope, folder } = file;
  const claims = claimsIn(content.servers, { scope, position, folder, names: namesIn(file) });
  const policy = policyOf(file, content);
  const { permissions, hooks, ...calls } = callSettingsIn(file, content);
  const objects = readObjectSettings(content.settings, file);
  const diagnostics = [
    ...content.diagnostics,
    ...claims.flatMap((claimed) => claimed.diagnostics),
    ...policy.diagnostics,
    ...calls.diagnostics,
    ...objects.diagnostics,
  ].toSorted(byPlace);
  const { state, settings } = content;
  const found = { policies: policy.lists, permissions, hooks, ...objects.settings };
  return { file, state, claims, diagnostics, ...found, settings };
}

/** Files that other programs also read may contain any name. */
function namesIn({ format }: Pick<ConfigFile, 'format'>): 'ours' | 'any' {
  return format === 'mcp-json' || format === 'claude' ? 'any' : 'ours';
}

/** The claims of servers that are written in a file, of settings or of a plugin. */
export function claimsIn(
  servers: readonly WrittenServer[],
  source: Pick<RawEntry, 'scope' | 'position' | 'folder' | 'variables' | 'names'>,
): readonly Claim[] {
  return servers.map(({ name, value, broken, keyAt, valueAt }) =>
    claim({
      ...source,
      name,
      value,
      broken,
      origin: { kind: 'file', ...keyAt([]) },
      place: { server: name, keyAt, valueAt },
    }),
  );
}

/** The claims of entries that are in no file of their own, and so share one place. */
export function claimsFrom(
  entries: readonly (readonly [name: string, value: unknown])[],
  source: Pick<RawEntry, 'scope' | 'position' | 'folder' | 'origin'>,
): readonly Claim[] {
  const at = () => originPosition(source.origin);
  return entries.map(([name, value]) =>
    claim({ ...source, name, value, place: { server: name, keyAt: at, valueAt: at } }),
  );
}

function policyOf({ scope }: ConfigFile, content: ParsedFile): PolicyFindings {
  const { settings } = content;
  const found =
    settings === undefined
      ? { lists: [], diagnostics: [] }
      : readPolicyLists(settings.root, settings.at, scope);
  // An unreadable file of the machine's owner may have denied any server.
  if (content.state !== 'invalid' || scope !== 'enterprise') return found;
  return { ...found, lists: [...found.lists, unreadablePolicy(scope, content.cause)] };
}

export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}
