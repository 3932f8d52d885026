// Fits tables to the screen. Every column is as wide as its widest cell, and the last one gets the remaining width. Optional
// columns are omitted on a narrow screen. If names would be cut, the last cell of each row moves below the others. No line
// is wider than the screen.

import { oneLine } from './sanitise.ts';
import { cutTo, padTo, widthOf, wrapTo } from './width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** The minimum width of the screen for this column. */
  readonly from?: number;
  /** Whether the user types the cell into the next command, so that it must not be cut. */
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
 * A table without titles. With `cut`, the last cell is cut if it is too long. With `wrap`, no cell is cut: the last one is
 * wrapped, and moves below the others if those do not fit.
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
  /** How the last column is shortened. */
  readonly overflow: Overflow;
}

type Cells = readonly (readonly string[])[];

function cleaned(rows: Cells): Cells {
  return rows.map((row) => row.map((cell) => oneLine(cell)));
}

/** The last cell of each row below the others. */
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

/** The last column gets the remaining width. If that is too little, the widest other columns are narrowed. */
function fittingWidths(natural: readonly number[], screen: number): readonly number[] {
  const others = natural.slice(0, -1);
  const last = natural.at(-1) ?? 0;
  const gaps = others.length * GAP.length;
  const shrunk = shrink(others, screen - gaps - Math.min(last, LEAST_LAST_COLUMN));
  const left = screen - gaps - sum(shrunk);
  return [...shrunk, Math.max(1, Math.min(last, left))];
}

/** Narrows the widest columns first until all fit. */
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
