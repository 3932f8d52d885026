// The targets of vi motions, and the text that an operator takes with each. A table of keys; pure.

import { after, before, type Chip, endOfLine, startOfLine } from './text-units.ts';

export interface MotionPlace {
  readonly text: string;
  readonly cursor: number;
  readonly chips: readonly Chip[];
  /** `undefined` if the user typed none. */
  readonly count: number | undefined;
  /** For `f` and `t`: the character to find. */
  readonly character: string;
  /** Whether a search is repeated: `t` directly before the character then continues to the next one. */
  readonly isRepeated: boolean;
}

export interface MotionTarget {
  readonly to: number;
  /** What an operator takes: the text up to the target, including the character there, or whole lines. */
  readonly takes: 'before' | 'through' | 'lines';
}

/** `undefined` if there is no target. */
type Motion = (place: MotionPlace) => MotionTarget | undefined;

const upTo = (to: number): MotionTarget => ({ to, takes: 'before' });
const through = (to: number): MotionTarget => ({ to, takes: 'through' });
const lines = (to: number): MotionTarget => ({ to, takes: 'lines' });

export const MOTIONS: Readonly<Record<string, Motion>> = {
  h: (place) => upTo(repeated(place, ({ text, cursor, chips }) => previous(text, cursor, chips))),
  l: (place) => upTo(repeated(place, ({ text, cursor, chips }) => next(text, cursor, chips))),
  ' ': (place) => upTo(repeated(place, ({ text, cursor, chips }) => next(text, cursor, chips))),
  0: ({ text, cursor }) => upTo(startOfLine(text, cursor)),
  '^': ({ text, cursor }) => upTo(firstNonBlank(text, cursor)),
  $: ({ text, cursor, chips }) => through(lastOfLine(text, cursor, chips)),
  w: (place) => upTo(repeated(place, ({ text, cursor }) => wordStart(text, cursor, classOf))),
  W: (place) => upTo(repeated(place, ({ text, cursor }) => wordStart(text, cursor, bigClassOf))),
  b: (place) => upTo(repeated(place, ({ text, cursor }) => wordBack(text, cursor, classOf))),
  B: (place) => upTo(repeated(place, ({ text, cursor }) => wordBack(text, cursor, bigClassOf))),
  e: (place) => through(repeated(place, ({ text, cursor }) => wordEnd(text, cursor, classOf))),
  E: (place) => through(repeated(place, ({ text, cursor }) => wordEnd(text, cursor, bigClassOf))),
  j: (place) => lineAway(place, 1),
  k: (place) => lineAway(place, -1),
  gg: ({ text, count = 1 }) => lines(lineNumbered(text, count)),
  G: ({ text, count }) => lines(lineNumbered(text, count ?? Number.POSITIVE_INFINITY)),
  f: (place) => found(place, { step: 1, stopBefore: 0 }),
  t: (place) => found(place, { step: 1, stopBefore: 1 }),
  F: (place) => found(place, { step: -1, stopBefore: 0 }),
  T: (place) => found(place, { step: -1, stopBefore: 1 }),
};

/** The last position of the cursor on a line in normal mode. */
export function lastOfLine(text: string, cursor: number, chips: readonly Chip[]): number {
  const end = endOfLine(text, cursor);
  return end === startOfLine(text, cursor) ? end : before(text, end, chips);
}

export function firstNonBlank(text: string, cursor: number): number {
  const start = startOfLine(text, cursor);
  const line = text.slice(start, endOfLine(text, cursor));
  return start + (line.length - line.trimStart().length);
}

function repeated(place: MotionPlace, once: (at: MotionPlace) => number): number {
  let { cursor } = place;
  for (let left = place.count ?? 1; left > 0; left -= 1) {
    const moved = once({ ...place, cursor });
    if (moved === cursor) break;
    cursor = moved;
  }
  return cursor;
}

function previous(text: string, cursor: number, chips: readonly Chip[]): number {
  return cursor === startOfLine(text, cursor) ? cursor : before(text, cursor, chips);
}

function next(text: string, cursor: number, chips: readonly Chip[]): number {
  return cursor === endOfLine(text, cursor) ? cursor : after(text, cursor, chips);
}

type Classify = (character: string) => 'blank' | 'word' | 'other';

const classOf: Classify = (character) => {
  if (/^\s$/u.test(character)) return 'blank';
  return /[\p{L}\p{N}\p{M}_]/u.test(character) ? 'word' : 'other';
};
const bigClassOf: Classify = (character) => (/^\s$/u.test(character) ? 'blank' : 'word');

function wordStart(text: string, cursor: number, classify: Classify): number {
  let at = cursor;
  const begun = classify(text[at] ?? ' ');
  while (at < text.length && classify(text[at] ?? ' ') === begun) at += 1;
  while (at < text.length && classify(text[at] ?? '') === 'blank') at += 1;
  return at;
}

function wordBack(text: string, cursor: number, classify: Classify): number {
  let at = cursor;
  while (at > 0 && classify(text[at - 1] ?? '') === 'blank') at -= 1;
  const kind = classify(text[at - 1] ?? ' ');
  while (at > 0 && classify(text[at - 1] ?? ' ') === kind) at -= 1;
  return at;
}

function wordEnd(text: string, cursor: number, classify: Classify): number {
  let at = Math.min(cursor + 1, text.length);
  while (at < text.length && classify(text[at] ?? '') === 'blank') at += 1;
  const kind = classify(text[at] ?? ' ');
  while (at + 1 < text.length && classify(text[at + 1] ?? ' ') === kind) at += 1;
  return Math.min(at, Math.max(0, text.length - 1));
}

function lineAway(
  { text, cursor, count = 1 }: MotionPlace,
  step: 1 | -1,
): MotionTarget | undefined {
  const column = cursor - startOfLine(text, cursor);
  let start = startOfLine(text, cursor);
  for (let left = count; left > 0; left -= 1) {
    const end = endOfLine(text, start);
    const isLast = step === 1 ? end === text.length : start === 0;
    if (isLast) return undefined;
    start = step === 1 ? end + 1 : startOfLine(text, start - 1);
  }
  return lines(Math.min(start + column, endOfLine(text, start)));
}

function lineNumbered(text: string, number: number): number {
  const all = text.split('\n');
  const above = all.slice(0, Math.min(number, all.length) - 1);
  const start = above.reduce((sum, line) => sum + line.length + 1, 0);
  return firstNonBlank(text, start);
}

interface Search {
  readonly step: 1 | -1;
  /** How many characters before the match to stop. */
  readonly stopBefore: 0 | 1;
}

function found(place: MotionPlace, { step, stopBefore }: Search): MotionTarget | undefined {
  const { text, cursor, character, count = 1, isRepeated } = place;
  const [start, end] = [startOfLine(text, cursor), endOfLine(text, cursor)];
  let at = isRepeated ? cursor + stopBefore * step : cursor;
  for (let left = count; left > 0; left -= 1) {
    do at += step;
    while (at >= start && at < end && !text.startsWith(character, at));
    if (at < start || at >= end) return undefined;
  }
  const to = at - stopBefore * step;
  return step === 1 ? through(to) : upTo(to);
}
