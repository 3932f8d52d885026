// Converts a rule that the user wants to keep to the form of the policy, before it is in any file.

import type { Json } from '@plugboard/base';
import { realPathOf } from '../platform/index.ts';
import {
  permissionTarget,
  precedence,
  ruleText,
  type WrittenPermissionRule,
} from '../config/index.ts';
import type { Rule } from '../policy/index.ts';
import { completeFolder, type RuleContext } from './call-rules.ts';

/** The rule as if it were in the user's own settings under `allow`. */
export function personsRule(
  written: WrittenPermissionRule,
  context: Pick<RuleContext, 'root' | 'environment'>,
): Rule {
  const target = permissionTarget(written);
  const conditions = target.kind === 'calls' ? (target.arguments ?? []) : [];
  const complete = conditions.map((condition) =>
    condition.operator === 'under' && typeof condition.value === 'string'
      ? { ...condition, value: [completeFolder(condition.value, context)] }
      : condition,
  );
  return {
    effect: 'allow',
    on:
      target.kind === 'calls' && complete.length > 0 ? { ...target, arguments: complete } : target,
    text: ruleText(written),
    scope: 'user',
    strength: precedence('user'),
    origin: { kind: 'given', by: 'you, in this conversation' },
    isOwn: true,
  };
}

/** Adds the real paths of the folders in a rule. */
export async function withRealFolders(rule: Rule): Promise<Rule> {
  const { on } = rule;
  if (on.kind !== 'calls' || on.arguments === undefined) return rule;
  const found = await Promise.all(
    on.arguments.map(async (condition) => {
      const { operator, value } = condition;
      if (operator !== 'under' || !Array.isArray(value)) return condition;
      const folders = (value as readonly Json[]).map(String);
      const real = await Promise.all(folders.map(realPathOf));
      return { ...condition, value: [...new Set([...folders, ...real])] };
    }),
  );
  return { ...rule, on: { ...on, arguments: found } };
}
