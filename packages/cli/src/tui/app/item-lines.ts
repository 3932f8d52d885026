// One item of the conversation as lines of text, changing or finished, and where an empty line separates two items.

import { sanitise } from '../../print/sanitise.ts';
import type { Opening } from '../../chat/index.ts';
import { callLines } from '../view/call-lines.ts';
import { changeLines } from '../view/diff-lines.ts';
import { assistantLines, commandLines, reasoningLines, userLines } from '../view/message-lines.ts';
import { noticeLines } from '../view/notice-lines.ts';
import { openingLines } from '../view/opening-lines.ts';
import { type Canvas, type Line, span, toAnsi, wrapSpans } from '../view/spans.ts';
import { tailOf } from '../view/text-tail.ts';
import { turnEndNotice } from '../view/turn-end-notice.ts';
import type { Item } from '../state/index.ts';

export interface ItemLook extends Canvas {
  readonly opening: Opening;
  readonly isFolded: boolean;
  readonly now: number;
  /** Draws only so many lines from the end of a growing text; all of it by default. */
  readonly lastLines?: number;
}

/** Calls follow each other closely; every other item has an empty line around it. */
export function hasGapBefore(item: Item, before: readonly Item[]): boolean {
  if (item.kind === 'call' || isInvisible(item)) return false;
  return before.findLast((one) => !isInvisible(one))?.kind === 'call';
}

export function hasGapAfter(item: Item): boolean {
  return item.kind !== 'call';
}

export function isInvisible(item: Item): boolean {
  return item.kind === 'turn-end' && item.end.kind === 'done';
}

/** Empty for an invisible item. */
export function itemLines(item: Item, look: ItemLook): readonly string[] {
  const ansi = (lines: readonly Line[]): readonly string[] =>
    lines.map((line) => toAnsi(line, look.theme));
  switch (item.kind) {
    case 'opening':
      return ansi(openingLines(look.opening, look));
    case 'user':
      return ansi(userLines(item.parts, look));
    case 'text':
      return textLines(item, look);
    case 'reasoning':
      return ansi(reasoningLines(item.text, look));
    case 'call':
      return ansi(callLines(item.call, look));
    case 'notice':
      return ansi(noticeLines(item.notice, look));
    case 'command':
      return ansi(commandLines(item.text, look));
    case 'changes':
      return ansi(
        item.changes.flatMap((change) => [...changeLines(change, look), []]).slice(0, -1),
      );
    case 'shown':
      return ansi(wrapSpans([span(sanitise(item.text))], look.width));
    case 'turn-end': {
      const notice = turnEndNotice(item.end);
      return notice === undefined ? [] : ansi(noticeLines(notice, look));
    }
    default:
      return item satisfies never;
  }
}

type Text = Extract<Item, { readonly kind: 'text' }>;

interface ItemCanvas extends Canvas {
  readonly lastLines: number | undefined;
  readonly lines: readonly string[];
}

/** Every key press redraws the screen; texts that have not changed are not rendered again. */
const renderedTexts = new WeakMap<Item, ItemCanvas>();

function textLines(item: Text, { width, theme, lastLines }: ItemLook): readonly string[] {
  const known = renderedTexts.get(item);
  const isSame = known?.width === width && known.theme === theme && known.lastLines === lastLines;
  if (isSame) return known.lines;
  const text = lastLines === undefined ? item.text : tailOf(item.text, lastLines);
  const lines = assistantLines(text, { width, theme, isStreaming: item.isOpen });
  renderedTexts.set(item, { width, theme, lastLines, lines });
  return lines;
}
