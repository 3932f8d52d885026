// What still changes, as lines: the last ones, exactly as many as there is room for, since a picture that is taller than
// the screen could not be drawn over and the terminal would have to be wiped.

import { oneLine } from '../../print/sanitise.ts';
import { contentWidth, type Item, type Screen } from '../state/index.ts';
import type { Theme } from '../view/theme.ts';
import { hasGapAfter, hasGapBefore, isUnseen, type ItemLook, itemLines } from './item-lines.ts';

export interface LiveLook {
  readonly room: number;
  readonly now: number;
  readonly theme: Theme;
}

/** Ends with an empty line where something stands above it that has none. */
export function liveLines(screen: Screen, look: LiveLook): readonly string[] {
  const { room } = look;
  if (room < 1) return [];
  const waiting = waitingLines(screen, room);
  const { lines, hidden } = itemsWithin(screen, { ...look, room: room - waiting.length });
  const { ellipsis } = look.theme.symbols;
  const shown = hidden === 0 ? lines : [`${ellipsis} ${hidden} more above`, ...lines.slice(1)];
  return [...shown, ...waiting];
}

/** With fewer rows than this, only what runs is shown. */
const LEAST_ROOM = 6;

/** Few of them: they are only to be remembered. */
function waitingLines({ waiting, columns }: Screen, room: number): readonly string[] {
  if (room < LEAST_ROOM) return [];
  const most = 3;
  const shown = waiting.slice(0, waiting.length > most ? most - 1 : most);
  const rest = waiting.length - shown.length;
  const lines = [
    ...shown.map((text) => `  next: ${oneLine(text, Math.max(4, columns - 9))}`),
    ...(rest > 0 ? [`  next: ${rest} more`] : []),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

interface FittedLines {
  readonly lines: readonly string[];
  /** How many items have no line here. */
  readonly hidden: number;
}

function itemsWithin(screen: Screen, look: LiveLook): FittedLines {
  const { live, finished } = screen;
  const ending = [...finished.slice(-2), ...live];
  const drawn: ItemLook = {
    width: contentWidth(screen),
    theme: look.theme,
    opening: screen.opening,
    // Answers are long; they are unfolded once they are finished.
    isFolded: true,
    now: look.now,
    lastLines: look.room,
  };
  let lines: readonly string[] = endsWithCall(ending) ? [''] : [];
  for (let at = live.length - 1; at >= 0; at -= 1) {
    const item = live[at] as Item;
    const before = ending.slice(0, ending.length - live.length + at);
    const own = itemLines(item, drawn);
    if (own.length === 0) continue;
    const above = hasGapBefore(item, before) ? [''] : [];
    const below = hasGapAfter(item) ? [''] : [];
    lines = [...above, ...own, ...below, ...lines];
    if (lines.length > look.room) return { lines: lines.slice(-look.room), hidden: at };
  }
  return { lines, hidden: 0 };
}

function endsWithCall(items: readonly Item[]): boolean {
  return items.findLast((item) => !isUnseen(item))?.kind === 'call';
}
