// The completions at the cursor as a short list, with the names in one column and the details in another.

import { widthOf } from '../../print/width.ts';
import type { Choice } from '../../chat/index.ts';
import { cleanLine } from './clean.ts';
import { type Canvas, cutSpans, type Line, padLine, span } from './spans.ts';
import { windowAround } from './window.ts';

const MOST_SHOWN = 8;

export function completionLines(
  choices: readonly Choice[],
  selected: number,
  canvas: Canvas,
): readonly Line[] {
  const { width, theme } = canvas;
  const { shown, above } = windowAround(choices, selected, MOST_SHOWN);
  const longest = Math.max(0, ...shown.map(({ label }) => widthOf(cleanLine(label))));
  const column = Math.min(longest, Math.floor(width * 0.6));
  const rows = shown.map(({ label, detail = '' }, index) => {
    const isChosen = above + index === selected;
    const name = cutSpans(
      [span(cleanLine(label), isChosen ? { role: 'accent', isBold: true } : {})],
      column,
      theme,
    );
    const sign = span(isChosen ? `${theme.symbols.pointer} ` : '  ', {
      role: 'accent',
      isBold: true,
    });
    const words = cleanLine(detail);
    return cutSpans(
      words === ''
        ? [sign, ...name]
        : [sign, ...padLine(name, column), span(`  ${words}`, { role: 'dim' })],
      width,
      theme,
    );
  });
  if (choices.length <= shown.length) return rows;
  return [
    ...rows,
    cutSpans([span(`  ${selected + 1} of ${choices.length}`, { role: 'dim' })], width, theme),
  ];
}
