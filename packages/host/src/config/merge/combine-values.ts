// Combines the values that several sources state for one slot, by the rule of its field.

import type { MergeRule } from '../fields/index.ts';

/** The combined value. `values` has at least one value, the strongest first. */
export function combineValues(rule: MergeRule, values: readonly unknown[]): unknown {
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

/** All values are booleans or all are numbers, since their shapes were checked. */
function leastOf(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? values.every((value) => value === true) : Math.min(...numbers);
}

function uniqueLists(lists: readonly unknown[]): readonly unknown[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()];
}
