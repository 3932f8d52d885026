// The to-do list above the prompt, in few rows: how much is done, and the items that are in progress or left. Pure.

import type { Todo } from '@plugboard/agent';
import { visible } from '../../print/visible.ts';
import { type Canvas, cutSpans, type Line, span } from './spans.ts';

const MOST_ROWS = 6;

/** Empty once everything is done. */
export function todoLines(todos: readonly Todo[], { width, theme }: Canvas): readonly Line[] {
  const left = todos.filter(({ state }) => state !== 'done');
  if (left.length === 0) return [];
  const done = todos.length - left.length;
  const shown = left.slice(0, left.length > MOST_ROWS - 1 ? MOST_ROWS - 2 : MOST_ROWS - 1);
  const rest = left.length - shown.length;
  const head = span(`  To do: ${done} of ${todos.length} done`, { role: 'dim' });
  return [
    [head],
    ...shown.map(({ text, state }) => [
      span(state === 'doing' ? `  ${theme.symbols.pointer} ` : '  - ', { role: 'accent' }),
      span(visible(text), state === 'doing' ? { isBold: true } : {}),
    ]),
    ...(rest > 0 ? [[span(`    and ${rest} more`, { role: 'dim' })]] : []),
    [],
  ].map((line) => cutSpans(line, width, theme));
}
