// One item of the conversation that still changes, as lines of text; and where an empty line stands between two.

import { sanitise } from '../../print/sanitise.ts';
import { renderMarkdown } from '../view/render-markdown.ts';
import { callLines } from '../view/call-lines.ts';
import type { Theme } from '../view/index.ts';
import { reasoningLines, textRoom, userLines } from '../view/message-lines.ts';
import { noticeLines } from '../view/notice-lines.ts';
import { type Line, span, toAnsi, wrapSpans } from '../view/spans.ts';
import { type Item, type Screen, tailOf } from '../state/index.ts';

export interface ItemLook {
  readonly room: number;
  readonly now: number;
  readonly theme: Theme;
}

/** Calls stand close together; everything else has an empty line around it. */
export function hasGapBefore(item: Item, before: readonly Item[]): boolean {
  if (item.kind === 'call' || isUnseen(item)) return false;
  return before.findLast((one) => !isUnseen(one))?.kind === 'call';
}

function isUnseen(item: Item): boolean {
  return item.kind === 'turn-end' && item.end.kind === 'done';
}

export function itemLines(item: Item, screen: Screen, look: ItemLook): readonly string[] {
  const width = Math.max(1, screen.columns - 1);
  const { theme, now } = look;
  const ansi = (lines: readonly Line[]): readonly string[] =>
    lines.map((line) => toAnsi(line, theme));
  switch (item.kind) {
    case 'text':
      return textLines(item, width, look);
    case 'reasoning':
      return ansi(reasoningLines(item.text, { isFolded: true, width, theme }));
    case 'call':
      // Answers are long; they are unfolded once they are drawn for good.
      return ansi(callLines(item.call, { isFolded: true, width, now, theme }));
    case 'notice':
      return ansi(noticeLines(item.notice, { width, theme }));
    case 'user':
      return ansi(userLines(item.parts, { width, theme }));
    case 'shown':
      return ansi(wrapSpans([span(sanitise(item.text))], width));
    case 'opening':
    case 'turn-end':
      // Nothing that stands above these still changes.
      return [];
    default:
      return item satisfies never;
  }
}

type Text = Extract<Item, { readonly kind: 'text' }>;

interface Drawn {
  readonly width: number;
  readonly room: number;
  readonly theme: Theme;
  readonly lines: readonly string[];
}

/** A key that is pressed while a text stands there has it drawn again, and not made anew. */
const drawn = new WeakMap<Item, Drawn>();

function textLines(item: Text, width: number, { room, theme }: ItemLook): readonly string[] {
  const known = drawn.get(item);
  if (known?.width === width && known.room === room && known.theme === theme) return known.lines;
  const { margin, columns } = textRoom(width);
  const text = tailOf(item.text, room);
  const rendered = renderMarkdown(text, { width: columns, theme, isStreaming: item.isOpen });
  const lines = rendered
    .split('\n')
    .map((line) => (line === '' ? '' : `${' '.repeat(margin)}${line}`));
  const shown = rendered === '' ? [] : lines;
  drawn.set(item, { width, room, theme, lines: shown });
  return shown;
}
