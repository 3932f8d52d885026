// The positions of a cursor in a text, and the rows that a text takes. A piece between two positions is a grapheme or the
// label of a folded paste.

import { widthOf } from '../../print/width.ts';

/** A label in the text, for text that was pasted. */
export interface Chip {
  readonly label: string;
  readonly text: string;
}

export interface Row {
  /** Offsets into the text; `end` is where the row's last piece ends. */
  readonly start: number;
  readonly end: number;
}

let segmenter: Intl.Segmenter | undefined;
const PLAIN = /^[\n -~]*$/;

export function before(text: string, cursor: number, chips: readonly Chip[]): number {
  if (cursor <= 0) return 0;
  const chip = chips.find(({ label }) => text.endsWith(label, cursor));
  if (chip !== undefined) return cursor - chip.label.length;
  if (text[cursor - 1] === '\n') return cursor - 1;
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1;
  const pieces = graphemes(text.slice(lineStart, cursor));
  return cursor - (pieces.at(-1)?.length ?? 1);
}

export function after(text: string, cursor: number, chips: readonly Chip[]): number {
  if (cursor >= text.length) return text.length;
  const chip = chips.find(({ label }) => text.startsWith(label, cursor));
  if (chip !== undefined) return cursor + chip.label.length;
  if (text[cursor] === '\n') return cursor + 1;
  const lineEnd = endOfLine(text, cursor);
  return cursor + (graphemes(text.slice(cursor, lineEnd))[0]?.length ?? 1);
}

export function startOfLine(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

export function endOfLine(text: string, cursor: number): number {
  const found = text.indexOf('\n', cursor);
  return found === -1 ? text.length : found;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

export function wordBefore(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && !WORD.test(text[at - 1] ?? '')) at -= 1;
  while (at > 0 && WORD.test(text[at - 1] ?? '')) at -= 1;
  return at === 0 ? 0 : before(text, after(text, at, []), []);
}

export function wordAfter(text: string, cursor: number): number {
  let at = cursor;
  while (at < text.length && !WORD.test(text[at] ?? '')) at += 1;
  while (at < text.length && WORD.test(text[at] ?? '')) at += 1;
  return at === 0 ? 0 : after(text, before(text, at, []), []);
}

/** The rows of a text on a screen of so many columns, each with room for the cursor after its last piece. */
export function wrapRows(text: string, columns: number): readonly Row[] {
  const rows: Row[] = [];
  const room = Math.max(2, columns);
  let start = 0;
  for (const line of text.split('\n')) {
    rows.push(...lineRows(line, start, room));
    start += line.length + 1;
  }
  return rows;
}

function lineRows(line: string, offset: number, room: number): readonly Row[] {
  const rows: Row[] = [];
  let start = 0;
  let at = 0;
  let width = 0;
  for (const piece of graphemes(line)) {
    const wide = columnsOf(piece);
    if (width + wide > room) {
      rows.push({ start: offset + start, end: offset + at });
      start = at;
      width = 0;
    }
    at += piece.length;
    width += wide;
  }
  rows.push({ start: offset + start, end: offset + at });
  // A full row has no room for the cursor after its end.
  if (width >= room) rows.push({ start: offset + at, end: offset + at });
  return rows;
}

export interface CursorPosition {
  readonly row: number;
  readonly column: number;
}

export function cursorPlace(text: string, rows: readonly Row[], cursor: number): CursorPosition {
  const row = rows.findLastIndex(({ start }) => start <= cursor);
  const start = rows[row]?.start ?? 0;
  return { row: Math.max(0, row), column: columnsOf(text.slice(start, cursor)) };
}

/** The last offset of a row at or before a column. */
export function offsetAt(text: string, row: Row, column: number): number {
  let at = row.start;
  let width = 0;
  for (const piece of graphemes(text.slice(row.start, row.end))) {
    const wide = columnsOf(piece);
    if (width + wide > column) break;
    width += wide;
    at += piece.length;
  }
  return at;
}

/** The width of a text as the editor draws it, with two columns for a tab. */
export function columnsOf(text: string): number {
  return widthOf(text.replaceAll('\t', '  '));
}

export function graphemes(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
