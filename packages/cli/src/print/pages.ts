// Splits a text into pages of a terminal. A line that is wider than the screen counts as several rows. Pure.

import { charactersOf, widthOf } from './width.ts';

export interface Page {
  readonly text: string;
  /** The number of rows on later pages. */
  readonly left: number;
}

/** Colour sequences have no width. */
const COLOURS = /\u001B\[[\d;]*m/gu;

export function pagesOf(
  text: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly Page[] {
  const lines = text
    .replace(/\n$/u, '')
    .split('\n')
    .flatMap((line) => fitToPage(line, { columns, rows }));
  const pages: { text: string; rows: number }[] = [];
  for (const line of lines) {
    const size = rowCount(line, columns);
    const last = pages.at(-1);
    if (last === undefined || last.rows + size > rows)
      pages.push({ text: `${line}\n`, rows: size });
    else {
      last.text += `${line}\n`;
      last.rows += size;
    }
  }
  return pages.map((page, index) => ({
    text: page.text,
    left: pages.slice(index + 1).reduce((sum, next) => sum + next.rows, 0),
  }));
}

function rowCount(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line.replaceAll(COLOURS, '')) / columns));
}

/** Splits a line that is taller than a page into pieces of one row. */
function fitToPage(
  line: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  if (rowCount(line, columns) <= rows) return [line];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of charactersOf(line.replaceAll(COLOURS, ''))) {
    const wide = widthOf(character);
    if (width + wide > columns) {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += character;
    width += wide;
  }
  return [...pieces, piece];
}
