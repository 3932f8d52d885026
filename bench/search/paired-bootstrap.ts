// Whether a difference between two runs over the same questions is more than luck: questions are drawn
// again and again, each with both of its scores, and the differences of the means are looked at.

import { seededRandom } from '../measure/seeded-random.ts';
import { meanOf } from './score.ts';

export interface Difference {
  readonly mean: number;
  /** Where it lies in 95 of 100 draws. */
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
