// Decides where to cut a text: pieces are merged as long as they fit, and cut where the syntax is shallowest. No piece
// is longer than the bound, whatever the text.

import { type Boundary, MOST_LENGTH, MOST_WEIGHT, TARGET_WEIGHT } from './chunk.ts';
import type { Scale } from './weigh.ts';

/** A chunk of this weight may end at a good place even if more would fit. */
const LEAST_WEIGHT = TARGET_WEIGHT * 0.4;
/** Anything smaller should not be a chunk of its own. */
const CRUMB_WEIGHT = TARGET_WEIGHT * 0.15;
/** How many levels of syntax a small chunk or a crumb costs when places to cut are compared. */
const COST_OF_SMALL = 1.5;
const COST_OF_CRUMB = 6;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The offsets at which pieces start, beginning with 0; none for an empty text. */
export function chooseCuts(
  text: string,
  boundaries: readonly Boundary[],
  scale: Scale,
): readonly number[] {
  const cuts: number[] = [];
  let from = 0;
  let index = 0;
  while (from < text.length) {
    cuts.push(from);
    while (index < boundaries.length && offsetAt(boundaries, index) <= from) index += 1;
    const next = nextCut({ from, end: text.length, index, boundaries, scale });
    if (next === undefined) break;
    from = next;
  }
  return boundLengths(text, withoutCrumb(cuts, text.length, scale));
}

interface Window {
  readonly from: number;
  readonly end: number;
  /** The first boundary after `from`. */
  readonly index: number;
  readonly boundaries: readonly Boundary[];
  readonly scale: Scale;
}

function nextCut({ from, end, index, boundaries, scale }: Window): number | undefined {
  const fits = (offset: number, weight = TARGET_WEIGHT): boolean =>
    offset - from <= MOST_LENGTH && scale.weigh(from, offset) <= weight;
  if (fits(end)) return undefined;
  let best: number | undefined;
  let leastCost = Number.POSITIVE_INFINITY;
  let at = index;
  for (; at < boundaries.length; at += 1) {
    const boundary = boundaries[at];
    if (boundary === undefined || !fits(boundary.offset)) break;
    const cost = boundary.depth + costOfSize(scale.weigh(from, boundary.offset));
    if (cost > leastCost) continue;
    leastCost = cost;
    best = boundary.offset;
  }
  const next = boundaries[at]?.offset;
  if (best === undefined) return next;
  // A chunk that is somewhat too large is better than a crumb.
  const isCrumb = scale.weigh(from, best) < CRUMB_WEIGHT;
  if (!isCrumb || !fits(next ?? end, MOST_WEIGHT)) return best;
  return next;
}

function costOfSize(weight: number): number {
  if (weight < CRUMB_WEIGHT) return COST_OF_CRUMB;
  return weight < LEAST_WEIGHT ? COST_OF_SMALL : 0;
}

function offsetAt(boundaries: readonly Boundary[], index: number): number {
  return boundaries[index]?.offset ?? 0;
}

function withoutCrumb(cuts: readonly number[], end: number, scale: Scale): readonly number[] {
  const last = cuts.at(-1);
  const before = cuts.at(-2);
  if (last === undefined || before === undefined) return cuts;
  const isCrumb = scale.weigh(last, end) < CRUMB_WEIGHT;
  const fits = end - before <= MOST_LENGTH && scale.weigh(before, end) <= MOST_WEIGHT;
  return isCrumb && fits ? cuts.slice(0, -1) : cuts;
}

/** Adds cuts to pieces that are too long: after a line if possible, otherwise anywhere. */
export function boundLengths(text: string, cuts: readonly number[]): readonly number[] {
  const bounded: number[] = [];
  cuts.forEach((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    let from = start;
    bounded.push(from);
    while (end - from > MOST_LENGTH) {
      from = cutWithin(text, from, from + MOST_LENGTH);
      bounded.push(from);
    }
  });
  return bounded;
}

function cutWithin(text: string, from: number, latest: number): number {
  const afterLine = lastLineFeed(text, from, latest) + 1;
  if (afterLine > from) return afterLine;
  return isOneCharacter(text, latest) ? latest - 1 : latest;
}

/** `lastIndexOf` would search back to the start of a text that is a single line. */
function lastLineFeed(text: string, from: number, before: number): number {
  for (let at = before - 1; at > from; at -= 1) if (text.charCodeAt(at) === LINE_FEED) return at;
  return -1;
}

/** Whether the code units on both sides of `at` belong together. */
function isOneCharacter(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === CARRIAGE_RETURN && after === LINE_FEED) return true;
  return (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
}
