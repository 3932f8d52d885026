// Statistics of samples. Ratios are computed per round, between measurements moments apart, so that a temporarily slow
// machine affects both.

export interface Spread {
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
}

export interface Ratio extends Spread {
  /** The 95 % confidence interval of the median, by bootstrap. */
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2000;

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: at(sorted, 0.5), p25: at(sorted, 0.25), p75: at(sorted, 0.75) };
}

/** The ratio of the two in each round; both lists are in the order of the rounds. */
export function ratioOf(subject: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = subject.map((value, round) => value / baseline[round]!);
  const medians = Array.from({ length: RESAMPLES }, () => spreadOf(resample(ratios)).median);
  medians.sort((a, b) => a - b);
  return { ...spreadOf(ratios), low: at(medians, 0.025), high: at(medians, 0.975) };
}

function resample(samples: readonly number[]): readonly number[] {
  return samples.map(() => samples[Math.floor(Math.random() * samples.length)]!);
}

/** The quantile at a fraction, interpolated between neighbours. */
function at(sorted: readonly number[], fraction: number): number {
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}
