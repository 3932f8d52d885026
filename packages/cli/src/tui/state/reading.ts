// How far a person has read what they are asked about: what is on the screen when a key is pressed counts as seen, and
// keys turn the pages. Pure.

import type { ShownQuestion } from '../view/long-question.ts';

export interface ReadingProgress {
  /** From which of its lines on it is shown. */
  readonly offset: number;
  /** How many of its lines, from the first on, have been on the screen. */
  readonly seen: number;
  /** At this width: another one breaks the lines elsewhere. */
  readonly width: number;
}

export const UNREAD: ReadingProgress = { offset: 0, seen: 0, width: 0 };

/** With what is on the screen now. Lines that were skipped stay unseen, whatever is seen below them. */
export function withSeen(
  reading: ReadingProgress,
  { from, to }: ShownQuestion,
  width: number,
): ReadingProgress {
  const seen = reading.width === width ? reading.seen : 0;
  return { offset: reading.offset, seen: from <= seen ? Math.max(seen, to) : seen, width };
}

export function unseenOf({ seen }: ReadingProgress, { total }: ShownQuestion): number {
  return Math.max(0, total - seen);
}

/** One page on or back, by as many lines as are shown. */
export function turned(
  reading: ReadingProgress,
  { from, to, total }: ShownQuestion,
  direction: 'on' | 'back',
): ReadingProgress {
  const size = Math.max(1, to - from);
  const offset = direction === 'on' ? Math.min(to, total - 1) : from - size;
  return { ...reading, offset: Math.max(0, offset) };
}

/** At the first line that was not shown yet. */
export function atUnseen(reading: ReadingProgress): ReadingProgress {
  return { ...reading, offset: reading.seen };
}
