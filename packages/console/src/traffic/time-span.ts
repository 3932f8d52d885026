// The time span that the timeline shows, and how it is panned and zoomed. Pure.

import type { Lane, Span } from './lanes.ts';

export type TimeWindow =
  /** From the first call to the last, even as calls are added. */
  | { readonly kind: 'all' }
  /** The last milliseconds before now. */
  | { readonly kind: 'follow'; readonly ms: number }
  | ({ readonly kind: 'fixed' } & Span);

/** The last half minute, live. */
export const LATEST: TimeWindow = { kind: 'follow', ms: 30_000 };

const SHORTEST_MS = 2;
/** The share of the span that is left free beside the first and the last call. */
const MARGIN = 0.02;

/** From the first call to the end of the last. */
export function boundsOf(lanes: readonly Lane[], now: number): Span {
  let from = Infinity;
  let to = -Infinity;
  for (const { starts, reach } of lanes) {
    from = Math.min(from, starts[0] ?? Infinity);
    to = Math.max(to, reach.at(-1) ?? -Infinity);
  }
  if (from === Infinity) return { from: now - 60_000, to: now };
  return { from, to: Math.max(from + SHORTEST_MS, to === Infinity ? now : to) };
}

export function spanOf(shown: TimeWindow, bounds: Span, now: number): Span {
  switch (shown.kind) {
    case 'all': {
      const margin = Math.max(SHORTEST_MS, (bounds.to - bounds.from) * MARGIN);
      return { from: bounds.from - margin, to: bounds.to + margin };
    }
    case 'follow':
      return { from: now - shown.ms, to: now };
    case 'fixed':
      return shown;
    default:
      return shown satisfies never;
  }
}

/** Pans by a share of the span: `1` is a full width to the right. */
export function pan(span: Span, by: number, bounds: Span): TimeWindow {
  const ms = span.to - span.from;
  const move = Math.min(
    bounds.to + ms / 2 - span.to,
    Math.max(bounds.from - ms / 2 - span.from, by * ms),
  );
  return { kind: 'fixed', from: span.from + move, to: span.to + move };
}

export interface Zoom {
  /** Below 1, less time is shown. */
  readonly factor: number;
  /** The point of the span, from 0 to 1, that keeps its place. */
  readonly anchor: number;
}

export function zoom(span: Span, { factor, anchor }: Zoom, bounds: Span): TimeWindow {
  const longest = (bounds.to - bounds.from) * (1 + 2 * MARGIN) + 2 * SHORTEST_MS;
  const ms = Math.max(SHORTEST_MS, (span.to - span.from) * factor);
  if (ms >= longest) return { kind: 'all' };
  const from = span.from + (span.to - span.from - ms) * anchor;
  return { kind: 'fixed', from, to: from + ms };
}

const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600_000),
];

export interface Ticks {
  readonly step: number;
  readonly at: readonly number[];
}

/** In pixels. */
const LEAST_TICK_DISTANCE = 90;

/** Marks at round times. */
export function ticksOf(span: Span, width: number): Ticks {
  const perPixel = (span.to - span.from) / width;
  const wanted = perPixel * LEAST_TICK_DISTANCE;
  const day = 86_400_000;
  const step = STEPS.find((each) => each >= wanted) ?? Math.ceil(wanted / day) * day;
  const first = Math.ceil(span.from / step) * step;
  const many = Math.max(0, Math.floor((span.to - first) / step) + 1);
  return { step, at: Array.from({ length: many }, (_, index) => first + index * step) };
}
