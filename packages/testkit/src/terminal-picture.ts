// Draws the cells of a terminal as an SVG picture: a window with a title, coloured text, and frames without gaps. Pure:
// equal cells give the same bytes.

import { frameLines } from './terminal-frames.ts';
import type { CellColour, ScreenCell } from './terminal-screen.ts';

export interface PictureOptions {
  readonly title: string;
}

const CELL = { width: 8.4, height: 18, font: 14, baseline: 13.5 } as const;
const PADDING = 14;
const BAR = 34;
const BACKGROUND = '#16181d';
const FOREGROUND = '#d7dae0';
const FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const BASIC = [
  ...['#2b2f37', '#e06c75', '#8fc379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'],
  ...['#5f6672', '#ff7b86', '#a5e08a', '#ffd68a', '#7cc4ff', '#e08cf5', '#6fd6e2', '#ffffff'],
];
const STEPS = [0, 95, 135, 175, 215, 255];

export function toSvg(
  cells: readonly (readonly ScreenCell[])[],
  { title }: PictureOptions,
): string {
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const width = round(columns * CELL.width + 2 * PADDING);
  const height = round(cells.length * CELL.height + 2 * PADDING + BAR);
  const rows = cells.flatMap((row, index) => drawRow(row, BAR + PADDING + index * CELL.height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    `<rect width="${width}" height="${height}" rx="9" fill="${BACKGROUND}"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${20 + index * 20}" cy="17" r="6" fill="${colour}"/>`,
    ),
    `<text x="${round(width / 2)}" y="21" text-anchor="middle" font-family="system-ui, sans-serif" font-size="13" fill="#8b919d">${escape(title)}</text>`,
    `<g font-family="${FONTS}" font-size="${CELL.font}" xml:space="preserve">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

interface Style {
  readonly foreground: string;
  readonly background: string | undefined;
  readonly marks: string;
}

interface StyledRun {
  readonly style: Style;
  readonly column: number;
  readonly cells: readonly ScreenCell[];
}

function drawRow(row: readonly ScreenCell[], y: number): readonly string[] {
  const runs = runsOf(row);
  const grounds = runs.flatMap(({ style, column, cells }) =>
    style.background === undefined
      ? []
      : [
          `<rect x="${xOf(column)}" y="${y}" width="${round(cells.length * CELL.width)}" height="${CELL.height}" fill="${style.background}"/>`,
        ],
  );
  return [...grounds, ...runs.flatMap((run) => drawRun(run, y))];
}

/** Joins neighbours of the same style, so that a picture has few elements. */
function runsOf(row: readonly ScreenCell[]): readonly StyledRun[] {
  const runs: { style: Style; column: number; cells: ScreenCell[] }[] = [];
  row.forEach((cell, column) => {
    const last = runs.at(-1);
    // The second half of a wide character belongs to the first.
    if (last !== undefined && (cell.width === 0 || isSame(last.style, styleOf(cell)))) {
      last.cells.push(cell);
    } else {
      runs.push({ style: styleOf(cell), column, cells: [cell] });
    }
  });
  return runs;
}

function drawRun({ style, column, cells }: StyledRun, y: number): readonly string[] {
  const drawn: string[] = [];
  let text = '';
  let start = 0;
  const flush = (end: number): void => {
    const shown = text.trimEnd();
    const lead = shown.length - shown.trimStart().length;
    if (shown !== '') {
      const width = round((end - start - lead - (text.length - shown.length)) * CELL.width);
      drawn.push(
        `<text x="${xOf(column + start + lead)}" y="${round(y + CELL.baseline)}" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${style.foreground}"${style.marks}>${escape(spaced(shown.trimStart()))}</text>`,
      );
    }
    text = '';
  };
  cells.forEach((cell, index) => {
    const lines = frameLines(cell.text);
    if (lines === undefined) {
      if (text === '') start = index;
      text += cell.width === 0 ? '' : cell.text === '' ? ' ' : cell.text;
      return;
    }
    flush(index);
    const at = { x: xOf(column + index), y, ...CELL };
    drawn.push(`<path d="${lines(at)}" fill="none" stroke="${style.foreground}"/>`);
  });
  flush(cells.length);
  return drawn;
}

/** Browsers would collapse several spaces in a page. */
function spaced(text: string): string {
  return text.replaceAll(/ {2,}/g, (spaces) => '\u00A0'.repeat(spaces.length));
}

function styleOf(cell: ScreenCell): Style {
  const own = { ink: hexOf(cell.foreground), ground: hexOf(cell.background) };
  const ink = cell.isInverse ? (own.ground ?? BACKGROUND) : (own.ink ?? FOREGROUND);
  const marks = [
    cell.isBold ? ' font-weight="700"' : '',
    cell.isDim ? ' opacity="0.6"' : '',
    cell.isItalic ? ' font-style="italic"' : '',
    cell.isUnderlined ? ' text-decoration="underline"' : '',
    cell.isStruck ? ' text-decoration="line-through"' : '',
  ];
  return {
    foreground: ink,
    background: cell.isInverse ? (own.ink ?? FOREGROUND) : own.ground,
    marks: marks.join(''),
  };
}

function isSame(a: Style, b: Style): boolean {
  return a.foreground === b.foreground && a.background === b.background && a.marks === b.marks;
}

/** The 256 colours of terminals: 16 basic ones, a cube of 216, and 24 greys. */
function hexOf(colour: CellColour): string | undefined {
  if (typeof colour !== 'number') return colour;
  if (colour < 16) return BASIC[colour];
  if (colour >= 232) return hex([0, 0, 0].map(() => 8 + (colour - 232) * 10));
  const index = colour - 16;
  return hex(
    [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((at) => STEPS[at] ?? 0),
  );
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function xOf(column: number): number {
  return round(PADDING + column * CELL.width);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F]/g, '');
}
