// Text as spans of one style each. It is wrapped before it becomes escape sequences, so a line has the width that it shows, and
// no style continues on the next line.

import { charactersOf, widthOf } from '../../print/width.ts';
import { paint, type Style, type Theme } from './theme.ts';

export interface Span {
  readonly text: string;
  readonly style: Style;
  /** The target of a link, safe to put into an escape sequence. */
  readonly link?: string;
}

export type Line = readonly Span[];

/** The width and the theme to draw with. */
export interface Canvas {
  readonly width: number;
  readonly theme: Theme;
}

const PLAIN: Style = {};

export function span(text: string, style: Style = PLAIN): Span {
  return { text, style };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function toAnsi(line: Line, theme: Theme): string {
  return line.map((one) => linked(paint(theme, one.style, one.text), one.link, theme)).join('');
}

function linked(text: string, link: string | undefined, theme: Theme): string {
  if (link === undefined || !theme.hasLinks || theme.depth === 'none') return text;
  return `\u001B]8;;${link}\u001B\\${text}\u001B]8;;\u001B\\`;
}

/** Wraps text at spaces, and within a word only if the word is wider than a line. */
export function wrapSpans(spans: Line, columns: number): readonly Line[] {
  const room = Math.max(1, columns);
  return splitLines(spans).flatMap((line) =>
    lineWidth(line) <= room ? [line] : wrapped(line, room),
  );
}

export function splitLines(spans: Line): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const one of spans) {
    for (const [index, text] of one.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...one, text });
    }
  }
  return lines;
}

/** The text between two spaces, which may have several styles. */
interface Word {
  readonly spans: Span[];
  width: number;
}

function wrapped(line: Line, columns: number): readonly Line[] {
  const lines: Line[] = [];
  let current: Span[] = [];
  let used = 0;
  let gap: Span | undefined;
  for (const piece of wordsAndSpaces(line)) {
    if ('text' in piece) {
      gap = used === 0 && lines.length > 0 ? undefined : piece;
      continue;
    }
    const gapWidth = gap === undefined ? 0 : gap.text.length;
    if (
      used > 0 &&
      used + gapWidth + piece.width > columns &&
      !canSplitHere(piece, columns - used - gapWidth)
    ) {
      lines.push(current);
      current = [];
      used = 0;
    } else if (gap !== undefined && used + gapWidth < columns) {
      current.push(gap);
      used += gapWidth;
    }
    gap = undefined;
    for (const one of piece.spans) {
      for (const part of breakWord(one.text, columns, columns - used)) {
        if (part.isNewLine && current.length > 0) {
          lines.push(current);
          current = [];
          used = 0;
        }
        current.push({ ...one, text: part.text });
        used += part.width;
      }
    }
  }
  return [...lines, current];
}

/** Scripts without spaces are wrapped at the end of the line, not before the word. */
function canSplitHere({ spans }: Word, left: number): boolean {
  return left >= 4 && spans.every(({ text }) => SCRIPT_WITHOUT_SPACES.test(text));
}

const SCRIPT_WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function* wordsAndSpaces(line: Line): Generator<Word | Span> {
  let word: Word = { spans: [], width: 0 };
  for (const one of line) {
    for (const text of one.text.split(/( +)/)) {
      if (text === '') continue;
      if (text.startsWith(' ')) {
        if (word.width > 0) yield word;
        word = { spans: [], width: 0 };
        yield { ...one, text };
      } else {
        word.spans.push({ ...one, text });
        word.width += widthOf(text);
      }
    }
  }
  if (word.width > 0) yield word;
}

interface Part {
  readonly text: string;
  readonly width: number;
  readonly isNewLine: boolean;
}

/** Splits a word: the first part fits into the rest of a line, each other part into a line. */
function breakWord(text: string, columns: number, left: number): readonly Part[] {
  const whole = widthOf(text);
  if (whole <= left) return [{ text, width: whole, isNewLine: false }];
  const parts: Part[] = [];
  let part = '';
  let width = 0;
  let room = left;
  let isNewLine = false;
  for (const segment of charactersOf(text)) {
    const wide = widthOf(segment);
    if (width + wide > room && !(width === 0 && isNewLine)) {
      if (part !== '') parts.push({ text: part, width, isNewLine });
      part = '';
      width = 0;
      room = columns;
      isNewLine = true;
    }
    // A character wider than the whole line cannot be drawn.
    const fits = wide <= columns;
    part += fits ? segment : '?';
    width += fits ? wide : 1;
  }
  return [...parts, { text: part, width, isNewLine }];
}

/** Cuts a line to so many columns, with an ellipsis at the cut. */
export function cutSpans(line: Line, columns: number, theme: Theme): Line {
  if (lineWidth(line) <= columns) return line;
  const mark = theme.symbols.ellipsis;
  if (columns < mark.length) return [span('.'.repeat(Math.max(0, columns)))];
  const kept: Span[] = [];
  let left = columns - widthOf(mark);
  for (const one of line) {
    const width = widthOf(one.text);
    if (width <= left) {
      kept.push(one);
      left -= width;
      continue;
    }
    const [part] = left === 0 ? [] : breakWord(one.text, left, left);
    if (part !== undefined && part.width <= left) kept.push({ ...one, text: part.text });
    break;
  }
  return [...kept, span(mark, { role: 'dim' })];
}

/** A left and a right end on one line. The right one is left out if there is no room for it. */
export function spread(left: Line, right: Line, options: { columns: number; theme: Theme }): Line {
  const { columns, theme } = options;
  const rightWidth = lineWidth(right);
  const needed = Math.min(lineWidth(left), Math.max(12, columns * 0.4));
  if (rightWidth === 0 || columns - rightWidth - 2 < needed) return cutSpans(left, columns, theme);
  const shown = cutSpans(left, columns - rightWidth - 2, theme);
  const gap = columns - rightWidth - lineWidth(shown);
  return [...shown, span(' '.repeat(gap)), ...right];
}

export function padLine(line: Line, columns: number): Line {
  const missing = columns - lineWidth(line);
  return missing > 0 ? [...line, span(' '.repeat(missing))] : line;
}

/** A canvas that is narrower by so many columns. */
export function inset<C extends Canvas>(canvas: C, columns: number): C {
  return { ...canvas, width: Math.max(1, canvas.width - columns) };
}

/** Indents foreign text behind a bar. */
export function barred(lines: readonly Line[], { symbols }: Theme): readonly Line[] {
  const bar = span(`  ${symbols.bar} `, { role: 'dim' });
  return indented(lines, bar, bar);
}

export function indented(
  lines: readonly Line[],
  first: Span,
  others: Span = span(' '.repeat(widthOf(first.text))),
): readonly Line[] {
  return lines.map((line, index) => [index === 0 ? first : others, ...line]);
}
