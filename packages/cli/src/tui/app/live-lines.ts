// The changing items as lines: only as many of the last lines as there is room for. Output taller than the screen cannot be
// overwritten without clearing the whole terminal.

import { oneLine } from '../../print/sanitise.ts';
import { contentWidth, type Item, type Screen } from '../state/index.ts';
import type { Theme } from '../view/theme.ts';
import { hasGapAfter, hasGapBefore, isInvisible, type ItemLook, itemLines } from './item-lines.ts';

export interface LiveLook {
  readonly room: number;
  readonly now: number;
  readonly theme: Theme;
}

/** Ends with an empty line if the last item above the prompt is a call, which has none itself. */
export function liveLines(screen: Screen, look: LiveLook): readonly string[] {
  const { room } = look;
  if (room < 1) return [];
  const waiting = waitingLines(screen, room);
  const { lines, hidden } = itemsWithin(screen, { ...look, room: room - waiting.length });
  const { ellipsis } = look.theme.symbols;
  const shown = hidden === 0 ? lines : [`${ellipsis} ${hidden} more above`, ...lines.slice(1)];
  return [...shown, ...waiting];
}

/** With fewer rows, queued messages are not shown. */
const LEAST_ROOM = 6;

/** Only the first queued messages, as a reminder. */
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
  /** The number of items without a line here. */
  readonly hidden: number;
}

function itemsWithin(screen: Screen, look: LiveLook): FittedLines {
  const { live, finished } = screen;
  const ending = [...finished.slice(-2), ...live];
  const drawn: ItemLook = {
    width: contentWidth(screen),
    theme: look.theme,
    opening: screen.opening,
    // Answers are long, so a call can be unfolded only after it has finished.
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
  return items.findLast((item) => !isInvisible(item))?.kind === 'call';
}
