// A picker as lines: its title, the search field, as many rows as fit around the selected one, and the keys. Pure.

import type { PickerRow } from '../../chat/index.ts';
import { widthOf } from '../../print/width.ts';
import { keyHints } from './choice-lines.ts';
import { clean, cleanLine } from './clean.ts';
import { type Canvas, cutSpans, indented, type Line, span, spread, wrapSpans } from './spans.ts';
import { windowAround } from './window.ts';

export interface PickerLook {
  readonly title: string;
  readonly empty: string;
  readonly note?: string | undefined;
  /** The number of all rows. */
  readonly all: number;
  /** The rows that match the query. */
  readonly found: readonly PickerRow[];
  readonly query: string;
  readonly selected: number;
  /** The maximum number of rows on the screen. */
  readonly rows: number;
}

export function pickerLines(look: PickerLook, canvas: Canvas): readonly Line[] {
  const { width, theme } = canvas;
  const { title, found, query, all } = look;
  const count = query === '' ? '' : `${found.length} of ${all}`;
  const head = spread([span(cleanLine(title), { isBold: true })], [span(count, { role: 'dim' })], {
    columns: width,
    theme,
  });
  if (all === 0) return [head, [], ...plain(look.empty, canvas), [], ...closes(canvas)];
  const typed: Line = [
    span(`${theme.symbols.prompt} `, { role: 'accent' }),
    query === '' ? span('type to search', { role: 'dim' }) : span(cleanLine(query)),
  ];
  const note = look.note === undefined ? [] : [[], ...plain(look.note, canvas)];
  const hints = keyHints(['arrows move', 'Enter chooses', 'Esc closes'], canvas);
  const below = [...note, [], ...hints];
  const room = Math.max(1, look.rows - FRAME_ROWS - below.length);
  const { shown, above } = windowAround(found, look.selected, room);
  const rows = shown.map((row, index) => rowLine(row, above + index === look.selected, canvas));
  const none = plain('Nothing has these words in it.', canvas);
  return [head, cutSpans(typed, width, theme), ...(rows.length === 0 ? none : rows), ...below];
}

const FRAME_ROWS = 2;

function closes(canvas: Canvas): readonly Line[] {
  return keyHints(['Esc closes'], canvas);
}

function plain(text: string, { width }: Canvas): readonly Line[] {
  return indented(wrapSpans([span(clean(text), { role: 'dim' })], width - 2), span('  '));
}

function rowLine(row: PickerRow, isSelected: boolean, { width, theme }: Canvas): Line {
  const { symbols } = theme;
  const pointer = span(isSelected ? `${symbols.pointer} ` : '  ', { role: 'accent', isBold: true });
  const mark = row.isCurrent === true ? [span(`${symbols.ready} `, { role: 'good' })] : [];
  const detail = cleanLine(row.detail);
  // The label matters more than the detail beside it.
  const isBeside = width - widthOf(detail) >= 30;
  return spread(
    [pointer, ...mark, span(cleanLine(row.label), isSelected ? { isBold: true } : {})],
    isBeside ? [span(detail, { role: 'dim' })] : [],
    { columns: width, theme },
  );
}
