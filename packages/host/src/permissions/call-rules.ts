// Converts the settings of all sources about calls to rules: the lists of the setting `permissions`, and the
// `permissions` of each server's entry. Folders in rules become absolute paths, and rules for other projects
// are left out. The only effect is to resolve the real paths of folders.

import { isAbsolute, join, resolve } from 'node:path';
import type { Json } from '@plugboard/base';
import type { AdmittedConfiguration, AdmittedPermissions } from '../admission/index.ts';
import {
  type FieldReport,
  isForeign,
  type PermissionPredicate,
  type PermissionRule,
  precedence,
} from '../config/index.ts';
import { type HostEnvironment, realPathOf } from '../platform/index.ts';
import type { Predicate, Rule, RuleTarget, StatedMode } from '../policy/index.ts';

export interface CallRules {
  readonly rules: readonly Rule[];
  readonly modes: readonly StatedMode[];
  readonly readOnlyTools: 'allow' | 'ask';
}

/** What decides about calls beside the configuration. */
export interface CallContext {
  readonly environment: HostEnvironment;
  readonly trust: 'stored' | 'project';
  /** The names of the program's own servers. */
  readonly inProcess?: readonly string[];
}

export interface RuleContext extends CallContext {
  /** The top folder of the project. */
  readonly root: string;
}

/** The parts of a configuration that decide its rules. */
export type RuledConfiguration = Pick<
  AdmittedConfiguration,
  'servers' | 'permissions' | 'explain' | 'root'
>;

export async function callRules(
  configuration: RuledConfiguration,
  context: CallContext,
): Promise<CallRules> {
  const { permissions, root } = configuration;
  const places = { ...context, root };
  const written = await Promise.all(permissions.map((source) => rulesOf(source, places)));
  return {
    rules: [...written.flat(), ...entryRules(configuration, context.trust)],
    modes: permissions.flatMap(modeOf),
    readOnlyTools: readOnlyTools(permissions),
  };
}

async function rulesOf(
  source: AdmittedPermissions,
  context: RuleContext,
): Promise<readonly Rule[]> {
  const { scope, isOwn } = source;
  const found = await Promise.all(source.rules.map((rule) => targetsOf(rule, context)));
  return found.flatMap((targets, index) => {
    const rule = source.rules[index];
    if (rule === undefined) return [];
    const { effect, text, origin } = rule;
    const isNotOut = rule.on.kind === 'calls' && rule.on.out === false;
    return targets.map((on) => ({
      effect,
      on,
      text,
      scope,
      strength: precedence(scope),
      origin,
      isOwn,
      ...(isNotOut ? { isNotOut } : {}),
    }));
  });
}

/** Empty for a rule of another project. */
async function targetsOf(
  { on }: PermissionRule,
  context: RuleContext,
): Promise<readonly RuleTarget[]> {
  if (on.kind === 'unclear') return [on];
  const { project, arguments: conditions, out: _, ...names } = on;
  if (project !== undefined && !(await isHere(project, context))) return [];
  if (conditions === undefined) return [names];
  const complete = await Promise.all(conditions.map((condition) => withFolder(condition, context)));
  return [{ ...names, arguments: complete }];
}

async function withFolder(
  condition: PermissionPredicate,
  context: RuleContext,
): Promise<Predicate> {
  const { operator, value } = condition;
  if (operator !== 'under' || typeof value !== 'string') return condition;
  const folder = completeFolder(value, context);
  const spellings: Json = [...new Set([folder, await realPathOf(folder)])];
  return { ...condition, value: spellings };
}

/** Resolves `~/x` in the home folder, and any other relative path from the top of the project. */
export function completeFolder(
  written: string,
  { root, environment: { home } }: Pick<RuleContext, 'root' | 'environment'>,
): string {
  if (written === '~') return home;
  if (/^~[\\/]/.test(written)) return join(home, written.slice(2));
  return isAbsolute(written) ? resolve(written) : resolve(root, written);
}

async function isHere(project: string, context: RuleContext): Promise<boolean> {
  const [wanted, here] = await Promise.all([
    realPathOf(completeFolder(project, context)),
    realPathOf(context.root),
  ]);
  return wanted === here;
}

function modeOf({ scope, mode, isOwn }: AdmittedPermissions): readonly StatedMode[] {
  if (mode === undefined) return [];
  const { value, origin } = mode;
  return [{ mode: value, scope, strength: precedence(scope), origin, isOwn }];
}

/** "allow" only if the strongest own source states it, and no foreign source states "ask". */
function readOnlyTools(permissions: readonly AdmittedPermissions[]): 'allow' | 'ask' {
  const own = permissions
    .filter((source) => source.isOwn && source.readOnlyTools !== undefined)
    .toSorted((a, b) => precedence(b.scope) - precedence(a.scope))[0];
  const isNarrowed = permissions.some((one) => !one.isOwn && one.readOnlyTools?.value === 'ask');
  return isNarrowed ? 'ask' : (own?.readOnlyTools?.value ?? 'ask');
}

function entryRules(
  { servers, explain }: Pick<RuledConfiguration, 'servers' | 'explain'>,
  trust: CallContext['trust'],
): readonly Rule[] {
  return servers
    .filter(({ written }) => written.permissions !== undefined)
    .flatMap(({ name }) =>
      explain(name)
        .filter(({ path }) => path[0] === 'permissions')
        .flatMap((field) => rulesOfField(name, field, trust)),
    );
}

type FieldSource = FieldReport['from'][number];

function rulesOfField(
  server: string,
  { path, value, from }: FieldReport,
  trust: CallContext['trust'],
): readonly Rule[] {
  const field = String(path[1]);
  const stated = (source: FieldSource, rule: Pick<Rule, 'effect' | 'on'>): Rule => ({
    ...rule,
    text: `"${field}": ${JSON.stringify(source.value)}`,
    scope: source.scope,
    strength: precedence(source.scope),
    origin: source.origin,
    isOwn: countsAsOwn(source, trust),
  });
  switch (field) {
    case 'deniedTools':
      return from.flatMap((source) =>
        textList(source.value).map((pattern) =>
          stated(source, {
            effect: 'deny',
            on: { kind: 'calls', server, tool: `${server}/${pattern}` },
          }),
        ),
      );
    case 'allowedTools':
    case 'allowedResources': {
      const kind = field === 'allowedTools' ? 'other-tools' : 'other-resources';
      return from.map((source) =>
        stated(source, { effect: 'deny', on: { kind, server, patterns: textList(source.value) } }),
      );
    }
    case 'readPermission':
    case 'writePermission': {
      const kind = field === 'readPermission' ? 'reads' : 'writes';
      // The strictest value counts; of several sources with that value, an own one is preferred.
      const same = from.filter((source) => source.value === value);
      const source = same.find((one) => countsAsOwn(one, trust)) ?? same[0];
      const effect = EFFECTS.find((word) => word === value);
      if (source === undefined || effect === undefined) return [];
      return [stated(source, { effect, on: { kind, server } })];
    }
    default:
      return [];
  }
}

const EFFECTS = ['allow', 'ask', 'deny'] as const;

/** Whether something counts as the user's own in this run. */
export function countsAsOwn(
  { author }: Pick<FieldSource, 'author'>,
  trust: CallContext['trust'],
): boolean {
  return trust === 'project' || !isForeign(author);
}

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
