// Reads the settings of one source about calls, its permissions and its hooks, from a file or from a program.

import { getNodeValue } from '#jsonc-parser';
import {
  type ConfigFile,
  type ConfiguredHook,
  type Diagnostic,
  fileOrigin,
  givenPosition,
  HOOKS_KEY,
  isForeign,
  nodesAt,
  type ParsedFile,
  PERMISSIONS_KEY,
  type PermissionSource,
  type Position,
  propertiesOf,
  type Property,
  propertyNamed,
  readHooks,
  readPermissions,
  type Scope,
  scopeRow,
  type SettingsText,
  type WrittenSetting,
} from '../config/index.ts';

export interface CallSettings {
  readonly permissions: readonly PermissionSource[];
  readonly hooks: readonly ConfiguredHook[];
  readonly diagnostics: readonly Diagnostic[];
}

const NO_CALL_SETTINGS: CallSettings = { permissions: [], hooks: [], diagnostics: [] };

/** Never throws. */
export function callSettingsIn(
  { scope, format, folder }: ConfigFile,
  content: ParsedFile,
): CallSettings {
  const unreadable = content.state === 'invalid' ? unreadableRules(scope, content.cause) : [];
  const { settings } = content;
  if (settings === undefined) return { ...NO_CALL_SETTINGS, permissions: unreadable };
  const permissions = propertyNamed(settings.root, PERMISSIONS_KEY);
  const hooks = propertyNamed(settings.root, HOOKS_KEY);
  if (permissions === undefined && hooks === undefined) {
    return { ...NO_CALL_SETTINGS, permissions: unreadable };
  }
  const reads = format === 'claude' ? 'some' : 'all';
  const place = { settings, scope, folder, reads } as const;
  const read = permissions && readPermissions(settingAt(permissions, place));
  // Hooks in another program's file are only for that program.
  const run = hooks && reads === 'all' ? readHooks(settingAt(hooks, place)) : undefined;
  return {
    permissions: [
      ...unreadable,
      ...(read === undefined ? [] : [read.source]),
      ...(permissions === undefined ? [] : duplicateRules(settings, scope)),
    ],
    hooks: run?.hooks ?? [],
    diagnostics: [...(read?.diagnostics ?? []), ...(run?.diagnostics ?? [])],
  };
}

/** The settings that a program states in place of a file. */
export function givenCallSettings(
  given: { readonly permissions?: unknown; readonly hooks?: unknown },
  { by, folder }: { readonly by: string; readonly folder: string },
): CallSettings {
  const setting = (value: unknown): WrittenSetting => ({
    value,
    at: () => givenPosition(by),
    scope: 'dynamic',
    folder,
    originAt: () => ({ kind: 'given', by }),
    reads: 'all',
  });
  const read =
    given.permissions === undefined ? undefined : readPermissions(setting(given.permissions));
  const run = given.hooks === undefined ? undefined : readHooks(setting(given.hooks));
  return {
    permissions: read === undefined ? [] : [read.source],
    hooks: run?.hooks ?? [],
    diagnostics: [...(read?.diagnostics ?? []), ...(run?.diagnostics ?? [])],
  };
}

interface SettingsPlace {
  readonly settings: SettingsText;
  readonly scope: Scope;
  readonly folder: string;
  readonly reads: WrittenSetting['reads'];
}

function settingAt(
  property: Property,
  { settings: { at }, scope, folder, reads }: SettingsPlace,
): WrittenSetting {
  return {
    value: property.value && (getNodeValue(property.value) as unknown),
    at: (path, on) => at(nodesAt(property, path)[on].offset),
    scope,
    folder,
    originAt: fileOrigin,
    reads,
  };
}

/**
 * It is unknown what the file would have denied, so every call needs approval. Except for files of a project:
 * an author who can break such a file could also remove its rules.
 */
function unreadableRules(scope: Scope, cause: Diagnostic): readonly PermissionSource[] {
  if (isForeign(scopeRow(scope).author) || cause.code === 'file-empty') return [];
  return [unclearSource(scope, { effect: 'ask', at: cause, reason: 'The file cannot be read' })];
}

/** If a key is duplicated, only the last one counts, but the first one may have denied something. */
function duplicateRules({ root, at }: SettingsText, scope: Scope): readonly PermissionSource[] {
  const settings = propertiesOf(root).filter(({ name }) => name === PERMISSIONS_KEY);
  const twice = [settings, ...settings.map(({ value }) => propertiesOf(value))]
    .map(duplicateIn)
    .find((property) => property !== undefined);
  if (twice === undefined) return [];
  const reason = `"${twice.name}" is written twice`;
  return [unclearSource(scope, { effect: 'deny', at: at(twice.key.offset), reason })];
}

function duplicateIn(properties: readonly Property[]): Property | undefined {
  return properties.find(
    ({ name }, index) => properties.findIndex((one) => one.name === name) < index,
  );
}

function unclearSource(
  scope: Scope,
  rule: { readonly effect: 'ask' | 'deny'; readonly at: Position; readonly reason: string },
): PermissionSource {
  const { effect, at, reason } = rule;
  const on = { kind: 'unclear', reason } as const;
  const origin = fileOrigin(at);
  return { scope, origin, rules: [{ effect, text: PERMISSIONS_KEY, origin, on }] };
}
