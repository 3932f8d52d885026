// A file of which many pieces were found is more likely about the question than one with a single
// lucky piece.

import type { Boost } from './rule.ts';

export const coherence: Boost = ({ subjects }) => {
  const sums = new Map<string, number>();
  for (const { chunk, base } of subjects) sums.set(chunk.path, (sums.get(chunk.path) ?? 0) + base);
  const most = Math.max(...sums.values());
  return subjects.map(({ chunk }) => (most > 0 ? (sums.get(chunk.path) ?? 0) / most : 0));
};
