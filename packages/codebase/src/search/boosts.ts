// The boosts of the rank stage. A boost adds to the score of a candidate and never reduces it. Pure.

import type { Query } from '../words/index.ts';
import type { FitFunction } from './fit.ts';
import type { RankSubject } from './subject.ts';

export interface RankContext {
  readonly query: Query;
  readonly subjects: readonly RankSubject[];
  readonly fit: FitFunction;
}

/** A number from 0 to 1 for each subject, in the same order. */
export type Boost = (context: RankContext) => readonly number[];

/** Code that declares the subject of the question ranks above code that uses it. */
export const definition: Boost = ({ subjects, fit }) =>
  subjects.map(({ nameWords }) => bestOf(nameWords, fit));

function bestOf(names: readonly (readonly string[])[], fit: FitFunction): number {
  return names.reduce((best, words) => Math.max(best, fit(words)), 0);
}

const SAME_BUT_FOR_CASE = 0.6;

/**
 * A question with a name as it is written in code is about the declaration of that name. The more other words the question
 * has, the less the name counts.
 */
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

/** Lower case, without prefixes such as `_` and `$`. */
function plainName(name: string): string {
  return name.replace(/^[_$@#]+/, '').toLowerCase();
}

/** Files and folders are named after their subject. */
export const fileName: Boost = ({ subjects, fit }) =>
  subjects.map(({ path }) => bestOf(path.names, fit));

export const folderName: Boost = ({ subjects, fit }) =>
  subjects.map(({ path }) => fit(path.folder));

/** A file with many hits is more likely to be about the question than a file with a single lucky one. */
export const coherence: Boost = ({ subjects }) => {
  const sums = new Map<string, number>();
  for (const { chunk, base } of subjects) sums.set(chunk.path, (sums.get(chunk.path) ?? 0) + base);
  const most = Math.max(...sums.values());
  return subjects.map(({ chunk }) => (most > 0 ? (sums.get(chunk.path) ?? 0) / most : 0));
};
