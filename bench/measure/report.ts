// The shape of a benchmark's answer, and how a comparison is judged against its target.

import { type Ratio, ratioOf, type Spread, spreadOf } from './statistics.ts';
import type { Samples } from './rounds.ts';

export type Target =
  | { readonly kind: 'at-most'; readonly value: number }
  | { readonly kind: 'at-least'; readonly value: number }
  | { readonly kind: 'none' };

export interface Comparison {
  readonly subject: string;
  readonly baseline: string;
  readonly target: Target;
}

export interface Row extends Comparison {
  readonly subjectSpread: Spread;
  readonly baselineSpread: Spread;
  readonly ratio: Ratio;
  readonly verdict: 'pass' | 'miss' | 'no target';
}

export interface Section {
  readonly title: string;
  readonly unit: 'ms' | 'µs/call' | 'calls/s';
  readonly rounds: number;
  readonly rows: readonly Row[];
}

export interface Report {
  readonly benchmark: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly sections: readonly Section[];
  /** What could not be measured here, and why. */
  readonly skipped: readonly string[];
}

export function compare(samples: Samples, comparison: Comparison): Row {
  const subject = samples.get(comparison.subject)!;
  const baseline = samples.get(comparison.baseline)!;
  const ratio = ratioOf(subject, baseline);
  return {
    ...comparison,
    subjectSpread: spreadOf(subject),
    baselineSpread: spreadOf(baseline),
    ratio,
    verdict: judge(ratio.median, comparison.target),
  };
}

function judge(ratio: number, target: Target): Row['verdict'] {
  switch (target.kind) {
    case 'at-most':
      return ratio <= target.value ? 'pass' : 'miss';
    case 'at-least':
      return ratio >= target.value ? 'pass' : 'miss';
    case 'none':
      return 'no target';
    default:
      return target satisfies never;
  }
}

export function hasMiss(report: Report): boolean {
  return report.sections.some(({ rows }) => rows.some(({ verdict }) => verdict === 'miss'));
}
