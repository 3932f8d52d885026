// A Markdown table, fitted to the screen: columns as wide as necessary, the widest shrinking first, with wrapped cells. On a
// screen too narrow for columns, each row becomes a list of its cells.

import type { Tokens } from 'marked';
import { inlineSpans } from './markdown-inline.ts';
import { type Canvas, type Line, lineWidth, padLine, span, wrapSpans } from './spans.ts';

const LEAST_COLUMN = 6;
const MOST_COLUMNS = 40;

export function tableLines(table: Tokens.Table, canvas: Canvas): readonly Line[] {
  const head = table.header
    .slice(0, MOST_COLUMNS)
    .map(({ tokens }) => inlineSpans(tokens, { isBold: true }));
  const rows = table.rows.map((row) =>
    row.slice(0, head.length).map(({ tokens }) => inlineSpans(tokens)),
  );
  const gaps = (head.length - 1) * 3;
  const widths = fit(naturalWidths([head, ...rows]), canvas.width - gaps);
  if (widths === undefined) return listed(head, rows, canvas);
  const align = table.align;
  const draw = (cells: readonly Line[]): readonly Line[] =>
    rowLines(cells, { widths, align, canvas });
  const { line, cross } = canvas.theme.symbols;
  const rule = widths.map((width) => line.repeat(width)).join(`${line}${cross}${line}`);
  const drawn = rows.map(draw);
  const isTall = drawn.some((lines) => lines.length > 1);
  return [
    ...draw(head),
    [span(rule, { role: 'dim' })],
    // Rows of several lines need an empty line between them.
    ...drawn.flatMap((lines, index) => (isTall && index > 0 ? [...draw([]), ...lines] : lines)),
  ];
}

interface RowLook {
  readonly widths: readonly number[];
  readonly align: Tokens.Table['align'];
  readonly canvas: Canvas;
}

function rowLines(cells: readonly Line[], { widths, align, canvas }: RowLook): readonly Line[] {
  const wrapped = widths.map((width, column) => wrapSpans(cells[column] ?? [], width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  const bar = canvas.theme.symbols.bar;
  return Array.from({ length: height }, (_, row) =>
    widths.flatMap((width, column) => {
      const line = wrapped[column]?.[row] ?? [];
      const isLast = column === widths.length - 1;
      return [
        ...(column === 0 ? [] : [span(` ${bar} `, { role: 'dim' })]),
        ...aligned(line, width, { side: align[column] ?? 'left', isLast }),
      ];
    }),
  );
}

function aligned(
  line: Line,
  width: number,
  { side, isLast }: { side: string; isLast: boolean },
): Line {
  const free = Math.max(0, width - lineWidth(line));
  if (side === 'right') return [span(' '.repeat(free)), ...line];
  if (side === 'center')
    return padLine([span(' '.repeat(Math.floor(free / 2))), ...line], isLast ? 0 : width);
  return isLast ? line : padLine(line, width);
}

function naturalWidths(rows: readonly (readonly Line[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 1, lineWidth(cell));
    }
  }
  return widths;
}

/** Widths that fit together; `undefined` if columns would be too narrow to read. */
function fit(widths: readonly number[], room: number): readonly number[] | undefined {
  const total = (most: number): number =>
    widths.reduce((sum, width) => sum + Math.min(width, most), 0);
  let most = Math.max(...widths, 1);
  if (total(most) <= room) return widths;
  if (total(LEAST_COLUMN) > room) return undefined;
  while (total(most) > room) most -= 1;
  // The columns that were shrunk share the rest.
  let spare = room - total(most);
  return widths.map((width) => {
    if (width <= most || spare === 0) return Math.min(width, most);
    spare -= 1;
    return most + 1;
  });
}

function listed(
  head: readonly Line[],
  rows: readonly (readonly Line[])[],
  canvas: Canvas,
): readonly Line[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) =>
      wrapSpans([...(head[column] ?? []), span(': '), ...cell], canvas.width),
    ),
  ]);
}
