// What comes of a slot that several sources state. Most take the strongest statement. Those that
// limit what a server may do take all of them together, so that no source can lift another's limit.

import type { FieldPath } from './field-path.ts';

/**
 * `strongest`: the first counts alone. `unite`: lists of what is denied are added up. `all`: each is
 * a list of what is allowed, and every one of them must allow it. `strictest`: deny before ask
 * before allow.
 */
export type SlotRule = 'strongest' | 'unite' | 'all' | 'strictest';

const RULES: ReadonlyMap<string, SlotRule> = new Map<string, SlotRule>([
  ['tools.include', 'all'],
  ['tools.exclude', 'unite'],
  ['permissions.allowedTools', 'all'],
  ['permissions.deniedTools', 'unite'],
  ['permissions.allowedResources', 'all'],
  ['permissions.readPermission', 'strictest'],
  ['permissions.writePermission', 'strictest'],
]);

export function ruleOf(path: FieldPath): SlotRule {
  return RULES.get(path.join('.')) ?? 'strongest';
}

/** The value that counts, from all that were stated, strongest first. At least one. */
export function combineValues(rule: SlotRule, values: readonly unknown[]): unknown {
  switch (rule) {
    case 'strongest':
      return values[0];
    case 'unite':
      return [...new Set(values.flat())];
    case 'all':
      return uniqueLists(values);
    case 'strictest':
      return STRICTEST_FIRST.find((word) => values.includes(word)) ?? values[0];
    default:
      return rule satisfies never;
  }
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow'];

function uniqueLists(lists: readonly unknown[]): readonly unknown[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()];
}
