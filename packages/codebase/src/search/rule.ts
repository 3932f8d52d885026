// What a rule of the rank stage is given and what it says. A boost adds to what a candidate has; it
// never takes one away.

import type { Query } from '../words/index.ts';
import type { Fit } from './fit.ts';
import type { Subject } from './subject.ts';

export interface RankContext {
  readonly query: Query;
  readonly subjects: readonly Subject[];
  readonly fit: Fit;
}

/** From 0 to 1 for each subject, in their order. */
export type Boost = (context: RankContext) => readonly number[];
