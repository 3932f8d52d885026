// Tests whether a difference between two runs over the same questions is significant: draws questions repeatedly, each
// with both scores, and compares the means.

import { seededRandom } from '../measure/seeded-random.ts';
import { meanOf } from './score.ts';

export interface Difference {
  readonly mean: number;
  /** The 95 % interval over the draws. */
  readonly low: number;
  readonly high: number;
}

const DRAWS = 10_000;

export function differenceOf(
  scores: readonly number[],
  before: readonly number[],
  seed: number,
): Difference {
  const differences = scores.map((score, index) => score - before[index]!);
  const random = seededRandom(seed);
  const means = Array.from({ length: DRAWS }, () =>
    meanOf(differences.map(() => differences[Math.floor(random() * differences.length)]!)),
  ).toSorted((a, b) => a - b);
  return {
    mean: meanOf(differences),
    low: means[Math.floor(DRAWS * 0.025)]!,
    high: means[Math.ceil(DRAWS * 0.975) - 1]!,
  };
}
