// One file that configuration comes from, read: its claims, its policies, what it says about calls, and
// what is wrong with it.

import {
  type ChatSetting,
  type Claim,
  claim,
  type CodebaseSetting,
  type ConfigFile,
  type Diagnostic,
  type DiscoverSetting,
  NO_OWN_SETTINGS,
  originPosition,
  type OwnSettings,
  type ParsedFile,
  type PolicyFindings,
  type PolicyList,
  readChatSetting,
  readCodebaseSetting,
  readConfigFile,
  readDiscoverSetting,
  type ReadFile,
  readOwnSettings,
  readPolicyLists,
  type SettingsText,
  unreadablePolicy,
  type RawEntry,
  type WrittenServer,
} from '../config/index.ts';
import { type CallSettings, callSettingsIn, NO_CALL_SETTINGS } from './call-settings.ts';

export interface Source extends SourceSettings {
  readonly file: ConfigFile;
  readonly state: ReadFile['state'];
  readonly claims: readonly Claim[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a file says beside its servers. */
export interface SourceSettings {
  readonly policies: readonly PolicyList[];
  /** What it says about calls. */
  readonly calls: CallSettings;
  /** What it says about the built-in server; nothing, or one. */
  readonly codebase: readonly CodebaseSetting[];
  /** What it says about the model of a chat; nothing, or one. */
  readonly chat: readonly ChatSetting[];
  /** Which servers of other programs it says to look for; nothing, or one. */
  readonly discover: readonly DiscoverSetting[];
  /** What only its user can say for all servers. */
  readonly own: OwnSettings;
  /** As written. */
  readonly settings?: SettingsText | undefined;
}

export const NO_SETTINGS: SourceSettings = {
  policies: [],
  calls: NO_CALL_SETTINGS,
  codebase: [],
  chat: [],
  discover: [],
  own: NO_OWN_SETTINGS,
};

/** `first` is the position of the first file among all sources. */
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
  const calls = callSettingsIn(file, content);
  const codebase = readCodebaseSetting(content.settings, file);
  const chat = readChatSetting(content.settings, file);
  const discover = readDiscoverSetting(content.settings, file);
  const own = readOwnSettings(content.settings, file);
  const diagnostics = [
    ...content.diagnostics,
    ...claims.flatMap((claimed) => claimed.diagnostics),
    ...policy.diagnostics,
    ...calls.diagnostics,
    ...codebase.diagnostics,
    ...chat.diagnostics,
    ...discover.diagnostics,
    ...own.diagnostics,
  ].toSorted(byPlace);
  const { state, settings } = content;
  const found = {
    policies: policy.lists,
    calls,
    codebase: codebase.settings,
    chat: chat.settings,
    discover: discover.settings,
    own,
  };
  return { file, state, claims, diagnostics, ...found, settings };
}

/** Other programs read these files as well, and take any name. */
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
  // What cannot be read as a whole may have denied anything, and the machine's owner is to be obeyed.
  if (content.state !== 'invalid' || scope !== 'enterprise') return found;
  return { ...found, lists: [...found.lists, unreadablePolicy(scope, content.cause)] };
}

export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}
