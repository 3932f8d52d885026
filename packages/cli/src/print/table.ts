// Columns that fit the screen: every column is as wide as its widest cell, and the last one takes
// what is left. Columns that a narrow screen has no room for are left out.

import { oneLine } from './sanitise.ts';
import { cutTo, padTo, widthOf } from './width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** How wide the screen must be for this column to be worth its place. */
  readonly from?: number;
}

const GAP = '  ';
const LEAST_LAST_COLUMN = 16;

export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: number,
): string {
  const shown = columns.filter(({ from = 0 }) => screen >= from);
  const titles = shown.map(({ title }) => title);
  return grid([titles, ...rows.map((row) => shown.map(({ cell }) => cell(row)))], screen);
}

/** Rows of as many cells each, without titles. */
export function grid(rows: readonly (readonly string[])[], screen: number): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  const widths = widthsOf(cells);
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = Math.max(LEAST_LAST_COLUMN, screen - before);
  return cells
    .map((row) =>
      row.map((cell, index) =>
        index === widths.length - 1 ? cutTo(cell, left) : padTo(cell, widths[index] ?? 0),
      ),
    )
    .map((row) => `${row.join(GAP).trimEnd()}\n`)
    .join('');
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return widths;
}
