// What comes of a slot that several sources state. Most take the strongest statement. Those that
// limit what a server may do take all of them together, so that no source can lift another's limit.

import type { FieldPath } from '../text/index.ts';

/**
 * `strongest`: the first counts alone. `unite`: lists of what is denied are added up. `all`: each is
 * a list of what is allowed, and every one of them must allow it. `strictest`: deny before ask
 * before allow. `least`: of numbers the smallest, and no before yes.
 */
export type SlotRule = 'strongest' | 'unite' | 'all' | 'strictest' | 'least';

type Rules = ReadonlyMap<FieldPath[number] | undefined, SlotRule>;

const TOOLS: Rules = new Map([
  ['include', 'all'],
  ['exclude', 'unite'],
]);

const PERMISSIONS: Rules = new Map([
  ['allowedTools', 'all'],
  ['deniedTools', 'unite'],
  ['allowedResources', 'all'],
  ['readPermission', 'strictest'],
  ['writePermission', 'strictest'],
  ['flow', 'strictest'],
  ['labels', 'all'],
]);

export function ruleOf(path: FieldPath): SlotRule {
  if (path[0] === 'sampling' || path[0] === 'roots') return 'least';
  const rules = path[0] === 'tools' ? TOOLS : path[0] === 'permissions' ? PERMISSIONS : undefined;
  return rules?.get(path[1]) ?? 'strongest';
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
    case 'least':
      return leastOf(values);
    default:
      return rule satisfies never;
  }
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow', 'off'];

/** Either all are flags or all are numbers: shapes were checked. */
function leastOf(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? values.every((value) => value === true) : Math.min(...numbers);
}

function uniqueLists(lists: readonly unknown[]): readonly unknown[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()];
}
