// Columns that fit the screen: every column is as wide as its widest cell, and the last one takes
// what is left. Columns that a narrow screen has no room for are left out; where names would be cut, the last cell of a row goes below
// the others. No line is ever wider than the screen.

import { oneLine } from './sanitise.ts';
import { cutTo, padTo, widthOf, wrapTo } from './width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** How wide the screen must be for this column to be worth its place. */
  readonly from?: number;
  /** A person types it into the next command, so it is never cut. */
  readonly isName?: boolean;
}

const GAP = '  ';
const LEAST_LAST_COLUMN = 16;
const LEAST_COLUMN = 3;

export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: number,
): string {
  const shown = columns.filter(({ from = 0 }) => screen >= from);
  const titles = shown.map(({ title }) => title);
  const cells = cleaned([titles, ...rows.map((row) => shown.map(({ cell }) => cell(row)))]);
  const natural = widthsOf(cells);
  const widths = fittingWidths(natural, screen);
  const isCut = shown.some(
    ({ isName }, at) => isName === true && (natural[at] ?? 0) > (widths[at] ?? 0),
  );
  if (!isCut) return aligned(cells, widths, { screen, overflow: 'cut' });
  return stacked(cells, { screen, overflow: shown.at(-1)?.isName === true ? 'wrap' : 'cut' });
}

/**
 * Rows of as many cells each, without titles. What does not fit into the last column is cut off, or
 * goes on below itself where it is to be shown whole; so do then the others.
 */
export function grid(
  rows: readonly (readonly string[])[],
  screen: number,
  overflow: Overflow = 'cut',
): string {
  const cells = cleaned(rows);
  const natural = widthsOf(cells);
  const widths = fittingWidths(natural, screen);
  const isCut = natural.slice(0, -1).some((width, at) => width > (widths[at] ?? 0));
  return isCut && overflow === 'wrap'
    ? stacked(cells, { screen, overflow })
    : aligned(cells, widths, { screen, overflow });
}

type Overflow = 'cut' | 'wrap';

interface Fit {
  readonly screen: number;
  /** Of the last column. */
  readonly overflow: Overflow;
}

type Cells = readonly (readonly string[])[];

function cleaned(rows: Cells): Cells {
  return rows.map((row) => row.map((cell) => oneLine(cell)));
}

/** Each row on lines of its own, and its last cell below the others. */
function stacked(cells: Cells, { screen, overflow }: Fit): string {
  const room = Math.max(1, screen - GAP.length);
  return cells
    .flatMap((row) => {
      const last = row.at(-1) ?? '';
      const below = overflow === 'cut' ? [cutTo(last, room)] : wrapTo(last, room);
      return [
        ...wrapTo(row.slice(0, -1).join(GAP), screen),
        ...below.filter((line) => line !== '').map((line) => `${GAP}${line}`),
      ];
    })
    .map((line) => `${cutTo(line.trimEnd(), screen)}\n`)
    .join('');
}

function aligned(cells: Cells, widths: readonly number[], { screen, overflow }: Fit): string {
  const left = widths.at(-1) ?? 0;
  return cells
    .flatMap((row) => {
      const last = row.at(-1) ?? '';
      const lines = overflow === 'cut' ? [cutTo(last, left)] : wrapTo(last, left);
      return lines.map((line, index) => [
        ...row.slice(0, -1).map((cell, column) => fill(index === 0 ? cell : '', widths[column])),
        line,
      ]);
    })
    .map((row) => `${cutTo(row.join(GAP).trimEnd(), screen)}\n`)
    .join('');
}

function fill(cell: string, width = 0): string {
  return padTo(cutTo(cell, width), width);
}

/** The last column takes what is left; where that is too little, the widest others give way. */
function fittingWidths(natural: readonly number[], screen: number): readonly number[] {
  const others = natural.slice(0, -1);
  const last = natural.at(-1) ?? 0;
  const gaps = others.length * GAP.length;
  const shrunk = shrink(others, screen - gaps - Math.min(last, LEAST_LAST_COLUMN));
  const left = screen - gaps - sum(shrunk);
  return [...shrunk, Math.max(1, Math.min(last, left))];
}

/** Widths that fit into so many columns together, none cut that is narrower than another cut one. */
function shrink(widths: readonly number[], columns: number): readonly number[] {
  if (sum(widths) <= columns) return widths;
  let widest = Math.max(...widths);
  const cut = (): readonly number[] => widths.map((width) => Math.min(width, widest));
  while (widest > LEAST_COLUMN && sum(cut()) > columns) widest -= 1;
  return cut();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
