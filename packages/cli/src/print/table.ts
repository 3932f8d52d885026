// Columns that fit the screen: every column is as wide as its widest cell, and the last one takes
// what is left.

import { oneLine } from './sanitise.ts';

const GAP = '  ';
const LEAST_LAST_COLUMN = 16;

export function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths = widthsOf(rows);
  return rows.map((row) => `${line(row, widths, columns)}\n`).join('');
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  return widths;
}

function line(row: readonly string[], widths: readonly number[], columns: number): string {
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = Math.max(LEAST_LAST_COLUMN, columns - before);
  return row
    .map((cell, index) =>
      index === widths.length - 1 ? oneLine(cell, left) : cell.padEnd(widths[index] ?? 0),
    )
    .join(GAP)
    .trimEnd();
}
