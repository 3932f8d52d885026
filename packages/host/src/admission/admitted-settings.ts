// Decides which settings have an effect. Those of the user, the program and the machine's owner all have one.
// A file that may have come with a project can deny and ask, but its rules that allow and its hooks, which
// are commands, have no effect unless the whole project is trusted in this run.

import {
  type CodebaseSetting,
  type ConfiguredHook,
  type Diagnostic,
  isForeignSource,
  misplacedDiagnostic,
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
export interface AdmittedSettings extends Pick<
  Configuration,
  'codebase' | 'chat' | 'identityProviders' | 'limits' | 'gateway' | 'diagnostics'
> {
  readonly permissions: readonly AdmittedPermissions[];
  /** Those that may run. */
  readonly hooks: readonly AdmittedHook[];
}

export interface AdmissionContext extends ProjectPlace {
  readonly folders: StartFolders;
  readonly trust: 'stored' | 'project';
}

export function admitSettings(
  {
    permissions,
    hooks,
    codebase,
    chat,
    identityProviders,
    limits,
    gateway,
  }: Omit<Pick<Configuration, keyof AdmittedSettings>, 'diagnostics'>,
  context: AdmissionContext,
): AdmittedSettings {
  const isTrusted = context.trust === 'project';
  const judged = permissions.map((source) => ({
    ...source,
    isOwn: isTrusted || !isForeignSource(source, context),
  }));
  const run = hooks.map((hook) => ({
    ...hook,
    isForeign: isForeignSource(hook, context),
    startsIn: hookFolder(hook, context.folders),
  }));
  // Never from a project, even a trusted one: the authors of its files would receive all of its code.
  const foreign = codebase.filter((setting) => isForeignSource(setting, context));
  const isOwn = (stated: StatementPlace): boolean => !isForeignSource(stated, context);
  // The author of "chat" chooses where the key and the whole conversation are sent. The author of
  // "identityProvider" chooses who vouches for the user everywhere. Limits and the
  // gateway apply to the machine, not to one project.
  const personal = [
    ['"chat"', chat],
    ['"identityProvider"', identityProviders],
    ['"limits"', limits],
    ['"gateway"', gateway],
  ] as const;
  return {
    permissions: judged,
    hooks: run.filter((hook) => isTrusted || !hook.isForeign),
    codebase: codebase.map((setting) =>
      foreign.includes(setting) ? switchOnly(setting) : setting,
    ),
    chat: chat.filter(isOwn),
    identityProviders: identityProviders.filter(isOwn),
    limits: limits.filter(isOwn),
    gateway: gateway.filter(isOwn),
    diagnostics: [
      ...judged.flatMap(powerless),
      ...run.flatMap((hook) => (isTrusted || !hook.isForeign ? [] : unused(hook.origin, 'A hook'))),
      ...foreign.flatMap(unusedCodebase),
      ...personal.flatMap(([name, settings]) =>
        settings.flatMap((setting) => (isOwn(setting) ? [] : unused(setting.origin, name))),
      ),
    ],
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

/** A project may only disable the server. */
function switchOnly({ scope, origin, disabled }: CodebaseSetting): CodebaseSetting {
  return { scope, origin, ...(disabled === undefined ? {} : { disabled }) };
}

function unusedCodebase({
  origin,
  scope: _,
  disabled: _d,
  ...works
}: CodebaseSetting): readonly Diagnostic[] {
  if (Object.keys(works).length === 0) return [];
  return unused(
    origin,
    'What "codebase" says about an embedder, a store, language servers, roots or remotes',
  );
}

function unused(origin: Origin, what: string): readonly Diagnostic[] {
  // Settings in another program's file are only for that program.
  if (origin.kind !== 'file' || /[\\/]\.claude[\\/]/.test(origin.file)) return [];
  return [misplacedDiagnostic(what, originPosition(origin))];
}
