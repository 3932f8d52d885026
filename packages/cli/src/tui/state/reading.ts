// How far the user has read the subject of a question. What is on the screen when a key is pressed counts as seen, and keys
// turn the pages. Pure.

import type { DrawnQuestion } from '../view/long-question.ts';

export interface ReadingProgress {
  /** The first line that is shown. */
  readonly offset: number;
  /** How many lines from the first on have been on the screen. */
  readonly seen: number;
  /** The width at which they were seen: at another width, lines wrap elsewhere. */
  readonly width: number;
}

export const UNREAD: ReadingProgress = { offset: 0, seen: 0, width: 0 };

/** Counts what is on the screen now as seen. Skipped lines stay unseen, with everything below them. */
export function withSeen(
  reading: ReadingProgress,
  { from, to }: DrawnQuestion,
  width: number,
): ReadingProgress {
  const seen = reading.width === width ? reading.seen : 0;
  return { offset: reading.offset, seen: from <= seen ? Math.max(seen, to) : seen, width };
}

export function unseenLines({ seen }: ReadingProgress, { total }: DrawnQuestion): number {
  return Math.max(0, total - seen);
}

/** Turns one page on or back, by as many lines as are shown. */
export function turnPage(
  reading: ReadingProgress,
  { from, to, total }: DrawnQuestion,
  direction: 'on' | 'back',
): ReadingProgress {
  const size = Math.max(1, to - from);
  const offset = direction === 'on' ? Math.min(to, total - 1) : from - size;
  return { ...reading, offset: Math.max(0, offset) };
}

/** Goes to the first unseen line. */
export function goToUnseen(reading: ReadingProgress): ReadingProgress {
  return { ...reading, offset: reading.seen };
}
