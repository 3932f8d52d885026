// Code that declares what the question is about goes before code that uses it.

import type { Boost } from './rule.ts';

export const definition: Boost = ({ subjects, fit }) =>
  subjects.map(({ nameWords }) => nameWords.reduce((best, words) => Math.max(best, fit(words)), 0));
