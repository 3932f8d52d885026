// A question about a body that may be longer than the screen: a window on the body, the frame around it, and which lines are
// shown. The code that handles the answer uses it to find out what the user has seen. Pure.

import { choicesInARow, type KeyChoice } from './choice-lines.ts';
import { plural } from './sizes.ts';
import { type Canvas, cutSpans, type Line, lineWidth, span } from './spans.ts';
import { windowFrom } from './window.ts';

/** The lines around the body of a question. */
export interface Frame {
  readonly above: readonly Line[];
  readonly below: readonly Line[];
}

export interface LongQuestion {
  readonly roomy: Frame;
  /** For a screen with few rows. */
  readonly tight: () => Frame;
  readonly body: readonly Line[];
}

export interface QuestionRoom {
  readonly rows: number;
  /** The first line of the body that is shown, if there is no room for all of it. */
  readonly offset: number;
  readonly canvas: Canvas;
}

/** The drawn question, and the range of body lines in it: from `from` up to, but not including, `to`. */
export interface DrawnQuestion {
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** On a screen with very few rows, parts of the frame are in the body. */
  readonly isSmall?: true;
}

/** The fewest lines of a body that are useful. */
const LEAST_BODY = 2;
/** The line that says how much is not shown. */
const NOTE_ROWS = 1;

export function drawQuestion(question: LongQuestion, room: QuestionRoom): DrawnQuestion {
  const { roomy, body } = question;
  const { rows } = room;
  const free = rows - sizeOf(roomy);
  if (free >= body.length) return { lines: framed(roomy, body), from: 0, ...wholeRange(body) };
  if (free >= LEAST_BODY + NOTE_ROWS) return drawWindow(roomy, body, { ...room, rows: free });
  const tight = question.tight();
  const left = Math.max(LEAST_BODY + NOTE_ROWS, rows - sizeOf(tight));
  const shown = drawWindow(tight, body, { ...room, rows: left });
  // If the question is taller than the screen, its upper part is not visible.
  return shown.lines.length <= rows ? shown : { ...shown, from: 0, to: 0 };
}

/** Whether the frame and some lines of the body fit. */
export function hasRoomFor(frame: Frame, body: readonly Line[], rows: number): boolean {
  return sizeOf(frame) + Math.min(body.length, LEAST_BODY + NOTE_ROWS) <= rows;
}

/** For a screen without room for the tight frame. The lines above the body are always shown. */
export function drawSmallQuestion(
  frame: Frame,
  body: readonly Line[],
  { rows, offset, canvas }: QuestionRoom,
): DrawnQuestion {
  const left = Math.max(1 + NOTE_ROWS, rows - sizeOf(frame));
  const shown = drawWindow(frame, body, { rows: left, offset, canvas });
  if (shown.lines.length <= rows) return { ...shown, isSmall: true };
  const lines = framed(frame, []).slice(0, Math.max(0, rows));
  return { ...shown, lines, from: 0, to: 0, isSmall: true };
}

function sizeOf({ above, below }: Frame): number {
  return above.length + below.length;
}

function framed({ above, below }: Frame, body: readonly Line[]): readonly Line[] {
  return [...above, ...body, ...below];
}

/** The range of a body that is shown completely. Empty lines at its end do not count. */
function wholeRange(body: readonly Line[]): { readonly to: number; readonly total: number } {
  const total = body.findLastIndex((line) => line.length > 0) + 1;
  return { to: total, total };
}

/** A window on the body, with a note about how much is above and below it. */
function drawWindow(
  frame: Frame,
  body: readonly Line[],
  { rows, offset, canvas }: QuestionRoom,
): DrawnQuestion {
  const { total } = wholeRange(body);
  if (body.length <= rows) return { lines: framed(frame, body), from: 0, to: total, total };
  const hasGap = rows > LEAST_BODY + NOTE_ROWS + 1;
  const size = rows - NOTE_ROWS - (hasGap ? 1 : 0);
  const { shown, above, below } = windowFrom(body, offset, size);
  const note = noteLine({ above, below }, canvas);
  const lines = framed(frame, [...shown, note, ...(hasGap ? [[]] : [])]);
  return { lines, from: above, to: Math.min(total, above + shown.length), total };
}

function noteLine(
  { above, below }: { readonly above: number; readonly below: number },
  { width, theme }: Canvas,
): Line {
  const { ellipsis, dot } = theme.symbols;
  const higher = above > 0 ? [`${above} above`] : [];
  const noteOf = (lower: string, keys: string): Line => {
    const words = [...higher, ...(below > 0 ? [lower] : [])].join(', ');
    return [span(`  ${ellipsis} ${words} ${dot} ${keys}`, { role: 'warning' })];
  };
  const whole = noteOf(`${plural(below, 'more line')} below`, 'PgUp, PgDn');
  if (lineWidth(whole) <= width) return whole;
  return cutSpans(noteOf(`${below} below`, below > 0 ? 'PgDn' : 'PgUp'), width, theme);
}

/** The answers after an early yes. Their keys must differ from those of a plain yes. */
export const UNSEEN_CHOICES = [
  { kind: 'read', key: 'p', label: 'Show the next of them' },
  { kind: 'allow', key: 'u', label: 'Yes, without having seen them' },
  { kind: 'deny', key: 'n', label: 'No' },
] as const;

function unseenLine(unseen: number, { theme, width }: Canvas): Line {
  const words = `${plural(unseen, 'line')} ${unseen === 1 ? 'was' : 'were'} not shown.`;
  return cutSpans(
    [span(`${theme.symbols.warning} `, { role: 'warning' }), span(words, { role: 'warning' })],
    width,
    theme,
  );
}

export interface AnswerState {
  readonly selected: number;
  /** After an early yes, the number of lines that were not shown; 0 once all were shown. */
  readonly unseen?: number | undefined;
}

/**
 * The usual answers in a row, or those after an early yes. Both take the same number of rows, so that nothing moves when they
 * change.
 */
export function eitherQuestion(
  choices: readonly KeyChoice[],
  { selected, unseen = 0 }: AnswerState,
  canvas: Canvas,
): readonly Line[] {
  const usual = choicesInARow(choices, selected, canvas);
  const other = [unseenLine(unseen, canvas), ...choicesInARow(UNSEEN_CHOICES, selected, canvas)];
  const shown = unseen === 0 ? usual : other;
  const missing = Math.max(usual.length, other.length) - shown.length;
  return [...shown, ...Array.from({ length: missing }, () => [])];
}

/** The answers in two lines: the selected one, and the keys of all. */
export function answersInTwoLines(
  choices: readonly KeyChoice[],
  { selected, unseen = 0 }: AnswerState,
  { width, theme }: Canvas,
): readonly Line[] {
  const { dot, pointer, warning } = theme.symbols;
  const shown = unseen === 0 ? choices : UNSEEN_CHOICES;
  const chosen = shown[selected];
  const keys = shown.map(({ key }) => key).join(' ');
  return [
    chosen === undefined
      ? [span('  no answer is chosen', { role: 'dim' })]
      : [
          span(`${pointer} ${chosen.key}`, { role: 'accent', isBold: true }),
          span(`  ${chosen.label}`, { isBold: true }),
        ],
    [
      span(unseen === 0 ? '  ' : `${warning} ${unseen} not shown ${dot} `, { role: 'warning' }),
      span(unseen === 0 ? `${keys} ${dot} arrows` : keys, { role: 'dim' }),
    ],
  ].map((line) => cutSpans(line, width, theme));
}
