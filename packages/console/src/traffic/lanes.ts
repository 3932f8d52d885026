// The lanes of a timeline: one for each server or client, with overlapping calls in separate rows. The data is in typed arrays,
// so that a frame with a hundred thousand calls is drawn in a few milliseconds. Pure.

import type { CallState, CallView } from '@plugboard/gateway/console-api';
import type { LoggedCall } from '../store/call-log.ts';
import { GATEWAY } from './call-filter.ts';

export type LaneBy = 'server' | 'client';

export interface Lane {
  readonly name: string;
  /** Sorted by their start. */
  readonly entries: readonly LoggedCall[];
  readonly starts: Float64Array;
  /** `Infinity` for a running call. */
  readonly ends: Float64Array;
  /** The latest end of this call and all before it, for a binary search. */
  readonly reach: Float64Array;
  readonly rows: Uint8Array;
  readonly tones: Uint8Array;
  /** The number of rows. */
  readonly depth: number;
}

/** A pixel shared by several calls shows the highest tone. */
export const TONES = ['none', 'good', 'calm', 'busy', 'warn', 'bad'] as const;

const TONE_OF: Readonly<Record<CallState, number>> = {
  ok: 1,
  cancelled: 2,
  running: 3,
  denied: 4,
  'tool-error': 5,
  error: 5,
};

/** If more calls overlap, they share the last row. */
const MOST_ROWS = 4;

export function lanesOf(calls: readonly LoggedCall[], by: LaneBy): readonly Lane[] {
  const groups = new Map<string, LoggedCall[]>();
  for (const entry of calls) {
    const name = laneName(entry.call, by);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [entry]);
    else group.push(entry);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) => laneOf(name, entries));
}

function laneName({ server, clientName }: CallView, by: LaneBy): string {
  return by === 'server' ? (server ?? GATEWAY) : clientName;
}

function laneOf(name: string, entries: readonly LoggedCall[]): Lane {
  const count = entries.length;
  const [starts, ends, reach] = [0, 1, 2].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [rows, tones] = [new Uint8Array(count), new Uint8Array(count)];
  const free: number[] = [];
  let furthest = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const call = entries[index]?.call;
    if (call === undefined) continue;
    const end = call.ms === undefined ? Infinity : call.at + call.ms;
    furthest = Math.max(furthest, end);
    starts[index] = call.at;
    ends[index] = end;
    reach[index] = furthest;
    tones[index] = TONE_OF[call.state];
    rows[index] = placeIn(free, call.at, end);
  }
  return { name, entries, starts, ends, reach, rows, tones, depth: Math.max(1, free.length) };
}

/** Finds a row for a call. `free` has the time from which on each row is free. */
function placeIn(free: number[], start: number, end: number): number {
  for (let row = 0; row < free.length; row += 1) {
    if ((free[row] ?? 0) > start) continue;
    free[row] = end;
    return row;
  }
  if (free.length < MOST_ROWS) return free.push(end) - 1;
  const last = free.length - 1;
  free[last] = Math.max(free[last] ?? 0, end);
  return last;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The range of calls that a span may show: from the first that reaches into it to the last that starts in it. */
export function visibleRange(
  { reach, starts }: Lane,
  { from, to }: Span,
): readonly [number, number] {
  return [firstAtLeast(reach, from), firstAtLeast(starts, to)];
}

/** The index of the first value that is at least `wanted`, in ascending values. */
function firstAtLeast(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Picture {
  readonly width: number;
  readonly span: Span;
  /** The end of running calls. */
  readonly now: number;
}

/** The tone of each pixel, row by row: `depth * width` numbers. */
export function paintLane(lane: Lane, { width, span, now }: Picture): Uint8Array {
  const { starts, ends, rows, tones, depth } = lane;
  const pixels = new Uint8Array(depth * width);
  const scale = width / (span.to - span.from);
  const [first, last] = visibleRange(lane, span);
  for (let index = first; index < last; index += 1) {
    const end = Math.min(ends[index] ?? 0, now);
    if (end < span.from) continue;
    const row = (rows[index] ?? 0) * width;
    const left = Math.max(0, Math.floor(((starts[index] ?? 0) - span.from) * scale));
    const right = Math.min(width - 1, Math.floor((end - span.from) * scale));
    const tone = tones[index] ?? 0;
    for (let at = row + left; at <= row + right; at += 1) {
      if ((pixels[at] ?? 0) < tone) pixels[at] = tone;
    }
  }
  return pixels;
}

/** The call of a row that is nearest to a time, within a distance. */
export function callAt(
  lane: Lane,
  { row, at, within, now }: { readonly row: number; at: number; within: number; now: number },
): LoggedCall | undefined {
  const [first, last] = visibleRange(lane, { from: at - within, to: at + within });
  let nearest: LoggedCall | undefined;
  let distance = within;
  for (let index = first; index < last; index += 1) {
    if (lane.rows[index] !== row) continue;
    const start = lane.starts[index] ?? 0;
    const end = Math.min(lane.ends[index] ?? 0, now);
    const away = Math.max(0, start - at, at - end);
    if (away > distance) continue;
    distance = away;
    nearest = lane.entries[index];
  }
  return nearest;
}
