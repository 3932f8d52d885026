// The durations of a server's last calls as a line, with a mark for each failure.

import type { JSX } from 'preact';
import { duration } from '../text/numbers.ts';

const WIDTH = 96;
const HEIGHT = 20;

export function Sparkline({
  values,
}: {
  readonly values: readonly (number | null)[];
}): JSX.Element {
  const taken = values.filter((value) => value !== null);
  const failed = values.length - taken.length;
  if (values.length === 0) return <span class="sparkline faint">no calls yet</span>;
  const label = `${taken.length === 0 ? 'none succeeded' : `median ${duration(median(taken))}`}${failed === 0 ? '' : `, ${failed} of the last ${values.length} failed`}`;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path class="sparkline-line" d={lineOf(values)} />
      <path class="sparkline-failed" d={failuresOf(values)} />
    </svg>
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function xOf(at: number, many: number): number {
  return many === 1 ? WIDTH / 2 : 1 + (at * (WIDTH - 2)) / (many - 1);
}

/** The line is interrupted by failures. */
function lineOf(values: readonly (number | null)[]): string {
  const most = Math.max(...values.map((value) => value ?? 0), 0.001);
  const parts: string[] = [];
  let isDrawing = false;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = xOf(at, values.length).toFixed(1);
    const y = (HEIGHT - 2 - (value / most) * (HEIGHT - 5)).toFixed(1);
    // Makes a single point visible.
    const isAlone = !isDrawing && typeof values[at + 1] !== 'number';
    parts.push(isDrawing ? `L${x} ${y}` : `M${x} ${y}h${isAlone ? 3 : 0.1}`);
    isDrawing = true;
  }
  return parts.join('');
}

function failuresOf(values: readonly (number | null)[]): string {
  return values
    .flatMap((value, at) =>
      value === null ? [`M${xOf(at, values.length).toFixed(1)} 2v${HEIGHT - 4}`] : [],
    )
    .join('');
}
