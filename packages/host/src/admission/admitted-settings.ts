// Decides which settings have an effect. Those of the user, the program and the machine's owner all have one.
// A file that may have come with a project can deny and ask, but its rules that allow and its hooks, which
// are commands, have no effect unless the whole project is trusted in this run.

import {
  type ConfiguredHook,
  type Diagnostic,
  isForeignSource,
  misplacedDiagnostic,
  OBJECT_SETTINGS,
  type ObjectSettingKey,
  type ObjectSettingRow,
  type ObjectSettings,
  objectSettings,
  type Origin,
  originPosition,
  type PermissionSource,
  type ProjectPlace,
  startFolder,
  type StartFolders,
  type StatementPlace,
  writtenFolder,
} from '../config/index.ts';
import type { Configuration } from '../sources/index.ts';

/** `isOwn`: its rules may allow calls. */
export type AdmittedPermissions = PermissionSource & { readonly isOwn: boolean };

/** `isForeign`: the hook came with a project that is trusted as a whole. */
export type AdmittedHook = ConfiguredHook & {
  readonly isForeign: boolean;
  /** The folder in which it starts. */
  readonly startsIn: string;
};

/** `diagnostics`: about settings that have no effect. */
export interface AdmittedSettings extends ObjectSettings {
  readonly diagnostics: readonly Diagnostic[];
  readonly permissions: readonly AdmittedPermissions[];
  /** Those that may run. */
  readonly hooks: readonly AdmittedHook[];
}

export interface AdmissionContext extends ProjectPlace {
  readonly folders: StartFolders;
  readonly trust: 'stored' | 'project';
}

export function admitSettings(
  configuration: Pick<Configuration, keyof ObjectSettings | 'permissions' | 'hooks'>,
  context: AdmissionContext,
): AdmittedSettings {
  const isTrusted = context.trust === 'project';
  const judged = configuration.permissions.map((source) => ({
    ...source,
    isOwn: isTrusted || !isForeignSource(source, context),
  }));
  const run = configuration.hooks.map((hook) => ({
    ...hook,
    isForeign: isForeignSource(hook, context),
    startsIn: hookFolder(hook, context.folders),
  }));
  const misplaced: Diagnostic[] = [];
  const objects = objectSettings((key) =>
    configuration[key].flatMap((setting) => {
      if (!isForeignSource(setting, context)) return [setting];
      const { kept, others } = ofProject(key, setting);
      if (others !== undefined) misplaced.push(...unused(setting.origin, others));
      return kept === undefined ? [] : [kept];
    }),
  );
  return {
    ...objects,
    permissions: judged,
    hooks: run.filter((hook) => isTrusted || !hook.isForeign),
    diagnostics: [
      ...judged.flatMap(powerless),
      ...run.flatMap((hook) => (isTrusted || !hook.isForeign ? [] : unused(hook.origin, 'A hook'))),
      ...misplaced,
    ],
  };
}

interface SettingOfProject {
  readonly kept: StatementPlace | undefined;
  /** The subject of a warning about what does not count, if anything. */
  readonly others: string | undefined;
}

function ofProject(key: ObjectSettingKey, setting: StatementPlace): SettingOfProject {
  const row: ObjectSettingRow = OBJECT_SETTINGS[key];
  if (row.ofProject === undefined) return { kept: setting, others: undefined };
  if (row.ofProject === 'nothing') return { kept: undefined, others: `"${key}"` };
  const { scope, origin, ...stated } = setting;
  const { fields, others } = row.ofProject;
  const kept = Object.entries(stated).filter(([name]) => fields.includes(name));
  const isAll = kept.length === Object.keys(stated).length;
  return {
    kept: { ...Object.fromEntries(kept), scope, origin },
    others: isAll ? undefined : others,
  };
}

function hookFolder(hook: ConfiguredHook, folders: StartFolders): string {
  const { cwd, folder } = hook;
  return cwd === undefined ? startFolder(hook, folders) : writtenFolder(cwd, folder, folders);
}

function powerless({
  isOwn,
  rules,
  mode,
  readOnlyTools,
}: AdmittedPermissions): readonly Diagnostic[] {
  if (isOwn) return [];
  const allowing = [
    ...rules.filter(({ effect }) => effect === 'allow').map(({ origin }) => origin),
    ...(mode?.value === 'allow-all' ? [mode.origin] : []),
    ...(readOnlyTools?.value === 'allow' ? [readOnlyTools.origin] : []),
  ];
  // One diagnostic is enough to find the others.
  return allowing.slice(0, 1).flatMap((origin) => unused(origin, 'What allows calls'));
}

function unused(origin: Origin, what: string): readonly Diagnostic[] {
  // Settings in another program's file are only for that program.
  if (origin.kind !== 'file' || /[\\/]\.claude[\\/]/.test(origin.file)) return [];
  return [misplacedDiagnostic(what, originPosition(origin))];
}
