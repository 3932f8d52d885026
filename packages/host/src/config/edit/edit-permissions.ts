// Adds rules about calls to a file of settings, and removes them. apply-edit.ts reads, locks and writes the file.

import { err, isObject, ok, type Result } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import {
  type PermissionEffect,
  PERMISSIONS_KEY,
  type WrittenPermissionRule,
} from '../settings/index.ts';
import { type Diagnostic, placesOf, type Property, propertyNamed } from '../text/index.ts';
import { applyEdit, edited, type EditProblem, outline, type Outline } from './apply-edit.ts';
import { insertItem, insertProperty, removeItem } from './edit-text.ts';

export interface RuleToAdd {
  readonly file: string;
  readonly effect: PermissionEffect;
  readonly rule: WrittenPermissionRule;
}

interface RuleAdded {
  readonly kind: 'added' | 'unchanged';
}

export async function addPermissionRule({
  file,
  effect,
  rule,
}: RuleToAdd): Promise<Result<RuleAdded, EditProblem>> {
  return applyEdit<RuleAdded>(file, ({ text, root }) => {
    const setting = propertyNamed(root, PERMISSIONS_KEY);
    if (setting === undefined) {
      const property = { name: PERMISSIONS_KEY, value: { [effect]: [rule] } };
      return edited(insertProperty(text, root, property), 'added');
    }
    const { value } = setting;
    if (value?.type !== 'object')
      return err(wrongType({ file, text, setting, words: 'an object' }));
    const list = propertyNamed(value, effect);
    if (list === undefined) {
      return edited(insertProperty(text, value, { name: effect, value: [rule] }), 'added');
    }
    if (list.value?.type !== 'array') {
      return err(wrongType({ file, text, setting: list, words: 'a list of rules' }));
    }
    const known = getNodeValue(list.value) as readonly unknown[];
    const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify(rule));
    return isKnown
      ? edited(text, 'unchanged')
      : edited(insertItem(text, list.value, rule), 'added');
  });
}

export interface RulesToRemove {
  readonly file: string;
  /** All names that a rule may use for the tool. */
  readonly tools: readonly string[];
  readonly effects: readonly PermissionEffect[];
  /** The current project: rules for other projects stay. */
  readonly project: string;
}

export interface RemovedRule {
  readonly effect: PermissionEffect;
  readonly rule: WrittenPermissionRule;
}

/** Removes every rule that names exactly this tool. Rules about several tools, such as patterns, stay. */
export async function removePermissionRules(
  wanted: RulesToRemove,
): Promise<Result<readonly RemovedRule[], EditProblem>> {
  return applyEdit<readonly RemovedRule[]>(wanted.file, (opened) => {
    const removed: RemovedRule[] = [];
    let rest: Outline = opened;
    for (let found = firstRule(rest, wanted); found !== undefined;) {
      removed.push({ effect: found.effect, rule: found.rule });
      const next = outline(wanted.file, removeItem(rest.text, found.list, found.item));
      if (!next.ok) return next;
      rest = next.value;
      found = firstRule(rest, wanted);
    }
    return ok({ text: rest.text, done: removed });
  });
}

function firstRule({ root }: Outline, { effects, tools, project }: RulesToRemove) {
  const setting = propertyNamed(root, PERMISSIONS_KEY)?.value;
  for (const effect of setting?.type === 'object' ? effects : []) {
    const list = propertyNamed(setting, effect)?.value;
    for (const item of list?.type === 'array' ? (list.children ?? []) : []) {
      const rule = getNodeValue(item) as WrittenPermissionRule;
      const named = isObject(rule) ? rule['tool'] : rule;
      const where = isObject(rule) ? rule['project'] : undefined;
      const isMeant =
        typeof named === 'string' &&
        tools.some((tool) => named === tool || named.startsWith(`${tool}(`));
      if (list !== undefined && isMeant && (where === undefined || where === project)) {
        return { effect, list, item, rule };
      }
    }
  }
  return undefined;
}

function wrongType(wrong: {
  readonly file: string;
  readonly text: string;
  readonly setting: Property;
  readonly words: string;
}): EditProblem {
  const { file, text, setting, words } = wrong;
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'wrong-type',
    message: `"${setting.name}" must be ${words}.`,
    suggestion: 'Write it like "permissions": { "allow": ["mcp__docs__*"] }.',
    file,
    ...placesOf(text)((setting.value ?? setting.key).offset),
  };
  return { kind: 'invalid-file', diagnostic };
}
