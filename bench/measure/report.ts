// The report of a benchmark, and the judgement of comparisons against their targets.

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

type Verdict = 'pass' | 'miss' | 'no target';

export interface Row extends Comparison {
  readonly subjectSpread: Spread;
  readonly baselineSpread: Spread;
  readonly ratio: Ratio;
  readonly verdict: Verdict;
}

/** A comparison, judged by its ratio. */
export interface ComparisonSection {
  readonly kind: 'comparison';
  readonly title: string;
  readonly unit: 'ms' | 'µs/call' | 'calls/s' | 'texts/s';
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** A single figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: Target;
  readonly verdict: Verdict;
  /** Remarks on the figure; may be empty. */
  readonly note: string;
}

export interface FigureSection {
  readonly kind: 'figures';
  readonly title: string;
  readonly rows: readonly Figure[];
}

/** What has no target of its own. */
export interface TableSection {
  readonly kind: 'table';
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export type Section = ComparisonSection | FigureSection | TableSection;

export interface Report {
  readonly benchmark: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly sections: readonly Section[];
  /** What could not be measured on this machine, and why. */
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

export function figure(of: Omit<Figure, 'verdict' | 'note'> & { readonly note?: string }): Figure {
  return { ...of, verdict: judge(of.value, of.target), note: of.note ?? '' };
}

/** The count of an event that must not happen. */
export function noneOf(name: string, count: number, note = ''): Figure {
  return figure({ name, value: count, unit: '', target: { kind: 'at-most', value: 0 }, note });
}

function judge(value: number, target: Target): Verdict {
  switch (target.kind) {
    case 'at-most':
      return value <= target.value ? 'pass' : 'miss';
    case 'at-least':
      return value >= target.value ? 'pass' : 'miss';
    case 'none':
      return 'no target';
    default:
      return target satisfies never;
  }
}

export function hasMiss(report: Report): boolean {
  return report.sections.some(
    (section) => section.kind !== 'table' && section.rows.some(({ verdict }) => verdict === 'miss'),
  );
}
