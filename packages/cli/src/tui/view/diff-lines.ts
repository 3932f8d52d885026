// A change of a file as numbered lines: removed ones red with a minus, added ones with a green plus and syntax colours, and
// three lines around each. Without colour, the signs are enough.

import { structuredPatch } from 'diff';
import type { ChangePreview } from '../../chat/index.ts';
import { visible, visibleLine } from '../../print/visible.ts';
import { colourCode } from './code-colour.ts';
import { type Canvas, indented, type Line, span, spread, wrapSpans } from './spans.ts';
import type { Style } from './theme.ts';

export interface Change extends ChangePreview {
  /** Only a piece of the file, whose line numbers are unknown. */
  readonly isPiece?: boolean;
}

/** Limits the search for the shortest difference, which takes too long for texts with little in common. */
const MOST_EDITS = 2000;

export function changeLines(change: Change, canvas: Canvas): readonly Line[] {
  const { path } = change;
  const [before, after] = withFinalNewlines(change);
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  const hunks = patch?.hunks ?? [wholeHunk(before, after)];
  const rows = hunks.map((hunk) => hunkRows(hunk));
  const count = (sign: string): number => rows.flat().filter((row) => row.sign === sign).length;
  const digits =
    change.isPiece === true
      ? 0
      : String(Math.max(1, ...rows.flat().map(({ number }) => number))).length;
  const sums = [
    span(`+${count('+')}`, { role: 'good' }),
    span(' '),
    span(`-${count('-')}`, { role: 'bad' }),
  ];
  const gap: Line = [
    span(`${' '.repeat(Math.max(0, digits - 1))}${canvas.theme.symbols.ellipsis}`, { role: 'dim' }),
  ];
  const kind = before === '' ? ' (new file)' : '';
  const language = languageOf(path);
  return [
    spread([span(visible(path), { isBold: true }), span(kind, { role: 'dim' })], sums, {
      columns: canvas.width,
      theme: canvas.theme,
    }),
    ...rows.flatMap((hunk, index) => [
      ...(index === 0 ? [] : [gap]),
      ...hunk.flatMap((row) => rowLines(row, { digits, language }, canvas)),
    ]),
    ...(rows.flat().length === 0 ? [[span('nothing changes', { role: 'dim' })]] : []),
  ];
}

/** Adds a final newline if both texts lack it, so that it is not shown as missing. */
function withFinalNewlines({ before, after }: Change): readonly [string, string] {
  const isAlike = !before.endsWith('\n') && !after.endsWith('\n');
  return isAlike
    ? [before === '' ? '' : `${before}\n`, after === '' ? '' : `${after}\n`]
    : [before, after];
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

interface Row {
  readonly number: number;
  readonly sign: string;
  readonly text: string;
}

function wholeHunk(before: string, after: string): Hunk {
  const lines = (text: string, sign: string): readonly string[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => sign + line);
  return { oldStart: 1, newStart: 1, lines: [...lines(before, '-'), ...lines(after, '+')] };
}

function hunkRows({ oldStart, newStart, lines }: Hunk): readonly Row[] {
  let old = oldStart;
  let fresh = newStart;
  return lines.map((line) => {
    const sign = line.charAt(0);
    const text = line.slice(1);
    if (sign === '-') return { number: old++, sign, text };
    if (sign === '\\') return { number: 0, sign: ' ', text: `(${text.trim()})` };
    if (sign === ' ') old += 1;
    return { number: fresh++, sign, text };
  });
}

const STYLES: Readonly<Record<string, Style>> = { '+': { role: 'good' }, '-': { role: 'bad' } };

function languageOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('.')) + 1).toLowerCase();
}

interface RowLook {
  readonly digits: number;
  readonly language: string;
}

function rowLines(
  { number, sign, text }: Row,
  { digits, language }: RowLook,
  canvas: Canvas,
): readonly Line[] {
  const style = STYLES[sign] ?? {};
  const gutter = span(
    digits === 0 ? '' : `${(number === 0 ? '' : String(number)).padStart(digits)} `,
    { role: 'dim' },
  );
  const shown = visibleLine(text.replace(/\r$/, ''));
  const room = canvas.width - digits - 3;
  if (room < 8) return wrapSpans([span(`${sign}${shown}`, style)], canvas.width);
  // A removed line is red as a whole; all others have syntax colours.
  const spans = sign === '-' ? [span(shown, style)] : coloured(shown, { language, style });
  const lines = wrapSpans(spans, room);
  const marked = indented(lines, span(`${sign} `, style), span('  '));
  return indented(marked, gutter);
}

function coloured(
  text: string,
  { language, style }: { readonly language: string; readonly style: Style },
): Line {
  const [line = []] = colourCode(text, language);
  return line.map((one) => (one.style.role === undefined ? { ...one, style } : one));
}
