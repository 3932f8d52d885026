// Whose word about calls may open something: that of the person, the program and the machine's owner.
// A file that may have come with a project can deny and ask, but its rules that allow and its hooks, which
// are commands, have no effect unless the project as a whole is trusted in this run.

import type {
  Configuration,
  ConfiguredHook,
  Diagnostic,
  Origin,
  PermissionSource,
  Scope,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { comesWith } from './comes-with.ts';
import { isForeign } from './needs-trust.ts';

/** `isOwn`: it may allow something. */
export type AdmittedPermissions = PermissionSource & { readonly isOwn: boolean };

/** `isForeign`: it came with a project that is trusted as a whole. */
export type AdmittedHook = ConfiguredHook & { readonly isForeign: boolean };

export interface OwnWord {
  readonly permissions: readonly AdmittedPermissions[];
  readonly hooks: readonly AdmittedHook[];
  /** About what has no effect. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Surroundings {
  readonly root: string;
  readonly environment: Pick<HostEnvironment, 'home'>;
  readonly trust: 'stored' | 'project';
}

export function ownWord(
  { permissions, hooks }: Pick<Configuration, 'permissions' | 'hooks'>,
  around: Surroundings,
): OwnWord {
  const isTrusted = around.trust === 'project';
  const judged = permissions.map((source) => ({
    ...source,
    isOwn: isTrusted || !isStrange(source.scope, source.origin, around),
  }));
  const run = hooks.map((hook) => ({
    ...hook,
    isForeign: isStrange(hook.scope, hook.origin, around),
  }));
  return {
    permissions: judged,
    hooks: run.filter((hook) => isTrusted || !hook.isForeign),
    diagnostics: [
      ...judged.flatMap(powerless),
      ...run.flatMap((hook) => (isTrusted || !hook.isForeign ? [] : idle(hook))),
    ],
  };
}

/** Whether what is stated there may be the word of a stranger. */
export function isStrange(
  scope: Scope,
  origin: Origin,
  { root, environment: { home } }: Pick<Surroundings, 'root' | 'environment'>,
): boolean {
  const fromRepository = origin.kind === 'file' && comesWith(origin.file, { root, home });
  return isForeign({ scope, fromRepository });
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
  // One is enough to find the others.
  return allowing.slice(0, 1).flatMap((origin) => unused(origin, 'What allows calls'));
}

function idle({ origin }: ConfiguredHook): readonly Diagnostic[] {
  return unused(origin, 'A hook');
}

function unused(origin: Origin, what: string): readonly Diagnostic[] {
  // Those of another program are meant for that program.
  if (origin.kind !== 'file' || /[\\/]\.claude[\\/]/.test(origin.file)) return [];
  const { file, line, column } = origin;
  return [
    {
      severity: 'warning',
      code: 'unused-key',
      message: `${what} has no effect in a file that may have come with a project.`,
      suggestion: 'Move it into your own settings: plugboard config path --scope user',
      file,
      line,
      column,
    },
  ];
}
