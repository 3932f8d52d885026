// Reads the setting `permissions` of one source: its rules with their places, and the problems with them. An
// invalid rule is kept: if it denies or asks, it applies to every call. Admission decides whose rules may
// allow something.

import { isObject, type Json } from '@plugboard/base';
import { FLOW_MODES } from '../fields/index.ts';
import {
  type Diagnostic,
  nameProblem,
  type FieldPath,
  type Origin,
  type Position,
  type Scope,
  type ShapeValue,
  type ShapeProblem,
} from '../text/index.ts';
import {
  PERMISSION_MODES,
  permissionSettingsShape,
  predicateShape,
  ruleShape,
  type WrittenPermissionRule,
} from './permission-shape.ts';
import { scopedTool, scopeProblem } from './scoped-tool.ts';

export const PERMISSIONS_KEY = 'permissions';

export type PermissionEffect = 'allow' | 'ask' | 'deny';

export type FlowMode = (typeof FLOW_MODES)[number];

export type PermissionMode = (typeof PERMISSION_MODES)[number];

export interface PermissionSource {
  readonly scope: Scope;
  /** Of the setting as a whole. */
  readonly origin: Origin;
  readonly rules: readonly PermissionRule[];
  readonly mode?: StatedValue<PermissionMode>;
  readonly readOnlyTools?: StatedValue<'allow' | 'ask'>;
  readonly flow?: StatedValue<FlowMode>;
}

export interface StatedValue<T> {
  readonly value: T;
  readonly origin: Origin;
}

export interface PermissionRule {
  readonly effect: PermissionEffect;
  /** As written. */
  readonly text: string;
  readonly origin: Origin;
  readonly on: PermissionTarget;
  /** The tool as written, if brackets follow its name. */
  readonly tool?: string;
}

export type PermissionTarget =
  | {
      readonly kind: 'calls';
      readonly tool?: string;
      readonly server?: string;
      readonly annotations?: Exclude<RuleObject['annotations'], undefined>;
      readonly arguments?: readonly PermissionPredicate[];
      /** The folder of the project in which the rule applies, as written. */
      readonly project?: string;
      /** `false` in a rule that allows: the call does not count as sending something out. */
      readonly out?: boolean;
    }
  | { readonly kind: 'unclear'; readonly reason: string };

type RuleObject = Exclude<WrittenPermissionRule, string>;
type PredicateObject = ShapeValue<typeof predicateShape>;

export type PermissionOperator = Exclude<keyof PredicateObject, 'path' | 'not'>;

export interface PermissionPredicate {
  readonly path: string;
  readonly operator: PermissionOperator;
  readonly value: Json;
  readonly isNegated: boolean;
}

/** Locates something in the setting. The path is relative to the setting. */
export type PlaceIn = (path: FieldPath, on: 'key' | 'value') => Position;

export interface WrittenSetting {
  readonly value: unknown;
  readonly at: PlaceIn;
  readonly scope: Scope;
  /** The folder to which relative paths in it are relative. */
  readonly folder: string;
  /** The origin of something at a position. */
  readonly originAt: (position: Position) => Origin;
  /** `some`: the file belongs to another program, so only its rules about MCP tools apply. */
  readonly reads: 'all' | 'some';
}

export interface ReadPermissions {
  readonly source: PermissionSource;
  readonly diagnostics: readonly Diagnostic[];
}

const EFFECTS: readonly PermissionEffect[] = ['deny', 'ask', 'allow'];

/** Never throws. */
export function readPermissions(setting: WrittenSetting): ReadPermissions {
  const { value, scope } = setting;
  if (setting.reads === 'some') {
    const rules = EFFECTS.flatMap((effect) => toolRulesIn(setting, effect));
    return { source: { scope, origin: originOf(setting), rules }, diagnostics: [] };
  }
  if (!isObject(value)) {
    return collected(setting, [
      unclear(setting, { path: [], kind: 'wrong-type', words: 'must be an object' }, 'ask'),
    ]);
  }
  const known = new Set<string>(EFFECTS);
  const others = permissionSettingsShape
    .problems(Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key))))
    .map((problem) => unclear(setting, problem, 'ask'));
  const rules = EFFECTS.flatMap((effect) => rulesIn(setting, value[effect], effect));
  return collected(setting, [...others, ...rules]);
}

interface ReadRule {
  readonly rule: PermissionRule;
  readonly diagnostics: readonly Diagnostic[];
}

function collected(setting: WrittenSetting, read: readonly ReadRule[]): ReadPermissions {
  const { scope } = setting;
  const mode = stated(setting, 'mode', PERMISSION_MODES);
  const readOnlyTools = stated(setting, 'readOnlyTools', ['allow', 'ask'] as const);
  const flow = stated(setting, 'flow', FLOW_MODES);
  return {
    source: {
      scope,
      origin: originOf(setting),
      rules: read.map(({ rule }) => rule),
      ...(mode === undefined ? {} : { mode }),
      ...(readOnlyTools === undefined ? {} : { readOnlyTools }),
      ...(flow === undefined ? {} : { flow }),
    },
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function originOf({ at, originAt }: WrittenSetting): Origin {
  return originAt(at([], 'key'));
}

function stated<const T extends string>(
  { value, at, originAt }: WrittenSetting,
  key: string,
  words: readonly T[],
): StatedValue<T> | undefined {
  const given = isObject(value) ? value[key] : undefined;
  const word = words.find((candidate) => candidate === given);
  return word === undefined ? undefined : { value: word, origin: originAt(at([key], 'key')) };
}

function rulesIn(
  setting: WrittenSetting,
  list: unknown,
  effect: PermissionEffect,
): readonly ReadRule[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    const problem = {
      path: [effect],
      kind: 'wrong-type',
      words: 'must be a list of rules',
    } as const;
    return [unclear(setting, problem, effect)];
  }
  return list.map((item: unknown, index) => readRule(setting, item, [effect, index]));
}

function readRule(
  setting: WrittenSetting,
  value: unknown,
  path: readonly [PermissionEffect, number],
): ReadRule {
  const [effect] = path;
  const [problem] = [
    ...ruleShape.problems(value),
    ...operatorProblems(value),
    ...scopeProblems(value),
  ];
  if (problem !== undefined) {
    return unclear(setting, { ...problem, path: [...path, ...problem.path] }, effect);
  }
  // Without a problem, it has the type of its shape.
  const rule = value as WrittenPermissionRule;
  const { tool } = typeof rule === 'string' ? { tool: rule } : rule;
  const origin = setting.originAt(setting.at(path, 'value'));
  return {
    rule: {
      effect,
      text: ruleText(rule),
      origin,
      on: permissionTarget(rule),
      ...(tool?.includes('(') === true ? { tool } : {}),
    },
    diagnostics: [],
  };
}

/** The rule as text for people. */
export function ruleText(rule: unknown): string {
  return typeof rule === 'string' ? rule : JSON.stringify(rule);
}

export function permissionTarget(rule: WrittenPermissionRule): PermissionTarget {
  const {
    tool,
    server,
    annotations,
    arguments: conditions,
    project,
    out,
  } = typeof rule === 'string' ? { tool: rule } : rule;
  const scoped = tool === undefined ? undefined : scopedTool(tool);
  if (typeof scoped === 'string') return { kind: 'unclear', reason: `"${tool ?? ''}" ${scoped}` };
  const inBrackets = scoped === undefined ? [] : [{ ...scoped.condition, isNegated: false }];
  const all = [...inBrackets, ...(conditions ?? []).map(predicateOf)];
  return {
    kind: 'calls',
    ...(tool === undefined ? {} : { tool: scoped?.tool ?? tool }),
    ...(server === undefined ? {} : { server }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(all.length === 0 ? {} : { arguments: all }),
    ...(project === undefined ? {} : { project }),
    ...(out === undefined ? {} : { out }),
  };
}

const OPERATORS = predicateShape.keys.filter(
  (key): key is PermissionOperator => key !== 'path' && key !== 'not',
);

function predicateOf(condition: PredicateObject): PermissionPredicate {
  const operator = OPERATORS.find((key) => condition[key] !== undefined) ?? 'equals';
  return {
    path: condition.path ?? '',
    operator,
    // It was parsed from JSON, or is compared with parsed JSON.
    value: condition[operator] as Json,
    isNegated: condition.not ?? false,
  };
}

/** A condition must have exactly one operator. */
function operatorProblems(rule: unknown): readonly ShapeProblem[] {
  const conditions = isObject(rule) ? rule['arguments'] : undefined;
  if (!Array.isArray(conditions)) return [];
  const all = OPERATORS.map((key) => `"${key}"`).join(', ');
  return conditions.flatMap((condition: unknown, index): readonly ShapeProblem[] => {
    const given = isObject(condition)
      ? OPERATORS.filter((key) => Object.hasOwn(condition, key))
      : [];
    if (given.length === 1) return [];
    const words = `must have exactly one of ${all}`;
    return [{ kind: 'bad-value', path: ['arguments', index], words }];
  });
}

/** Checks the text in brackets, and the values of `runs` and `origin`. */
function scopeProblems(rule: unknown): readonly ShapeProblem[] {
  const tool = isObject(rule) ? rule['tool'] : rule;
  const scoped = typeof tool === 'string' ? scopedTool(tool) : undefined;
  const at = isObject(rule) ? ['tool'] : [];
  const inBrackets: readonly ShapeProblem[] =
    typeof scoped === 'string' ? [{ kind: 'bad-value', path: at, words: scoped }] : [];
  const conditions = isObject(rule) ? rule['arguments'] : undefined;
  if (!Array.isArray(conditions)) return inBrackets;
  const inConditions = conditions.flatMap((condition: unknown, index) =>
    (['runs', 'origin'] as const).flatMap((operator): readonly ShapeProblem[] => {
      const value = isObject(condition) ? condition[operator] : undefined;
      const words = typeof value === 'string' ? scopeProblem(operator, value) : undefined;
      return words === undefined
        ? []
        : [{ kind: 'bad-value', path: ['arguments', index, operator], words }];
    }),
  );
  return [...inBrackets, ...inConditions];
}

const UNTIL_THEN: Readonly<Record<PermissionEffect, string>> = {
  deny: 'Until then every call is denied.',
  ask: 'Until then every call is asked about.',
  allow: 'Until then it allows nothing.',
};

const EXAMPLE =
  '"permissions": { "allow": ["mcp__docs__*"], "deny": [{ "tool": "files/write_*", "arguments": [{ "path": "path", "under": "~/.ssh" }] }] }';

function unclear(
  { at, originAt }: WrittenSetting,
  problem: ShapeProblem,
  effect: PermissionEffect,
): ReadRule {
  const { on, code, field, reason } = nameProblem(problem, [PERMISSIONS_KEY]);
  const position = at(problem.path, on);
  return {
    rule: {
      effect,
      text: field,
      origin: originAt(position),
      on: { kind: 'unclear', reason },
    },
    diagnostics: [
      {
        severity: 'error',
        code,
        message: `${reason}. ${UNTIL_THEN[effect]}`,
        suggestion: `Write it like ${EXAMPLE}.`,
        ...position,
      },
    ],
  };
}

/** Names of MCP tools in the other program, which also has rules about other tools. */
const MODEL_NAME = /^mcp__[A-Za-z0-9_*-]+$/;

function toolRulesIn(setting: WrittenSetting, effect: PermissionEffect): readonly PermissionRule[] {
  const { value, at, originAt } = setting;
  const list = isObject(value) ? value[effect] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index): readonly PermissionRule[] => {
    if (typeof item !== 'string' || !MODEL_NAME.test(item)) return [];
    const origin = originAt(at([effect, index], 'value'));
    return [{ effect, text: item, origin, on: { kind: 'calls', tool: item } }];
  });
}
