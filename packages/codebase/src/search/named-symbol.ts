// A question that holds a name as it stands in code asks for where that is declared. The more other
// words there are beside it, the less the name alone decides.

import type { Boost } from './rule.ts';

const SAME_BUT_FOR_CASE = 0.6;

export const namedSymbol: Boost = ({ query, subjects }) => {
  if (query.symbols.length === 0) return subjects.map(() => 0);
  const exact = new Set(query.symbols);
  const plain = new Set(query.symbols.map(plainName));
  const fade = 1 / Math.sqrt(Math.max(1, query.length));
  return subjects.map(({ names }) => {
    if (names.some((name) => exact.has(name))) return fade;
    return names.some((name) => plain.has(plainName(name))) ? SAME_BUT_FOR_CASE * fade : 0;
  });
};

/** Without what languages put before names, and in one case. */
function plainName(name: string): string {
  return name.replace(/^[_$@#]+/, '').toLowerCase();
}
